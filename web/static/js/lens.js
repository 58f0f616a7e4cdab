// The camera of this phone: opened, chosen among several, asked for again after sleep.

/** Lens shows a camera in a video element and says what becomes of it. */
export class Lens {
  /** on is called with 'starting', 'seeing', 'paused', 'denied', 'missing' or 'busy'. */
  constructor(video, on) {
    Object.assign(this, { video, on, stream: null, wanted: false, again: 0, lock: null, turn: 0 });
    document.addEventListener('visibilitychange', () => {
      if (!this.wanted) return;
      if (document.hidden) this.on('paused');
      else this.wake();
    });
  }

  /** seeing says whether there is a picture to take. */
  get seeing() {
    const track = this.stream?.getVideoTracks()[0];
    return track?.readyState === 'live' && !track.muted && this.video.readyState >= 2 && this.video.videoWidth > 0;
  }

  get chosen() { return this.stream?.getVideoTracks()[0]?.getSettings().deviceId ?? ''; }

  /** open asks for the camera; id is one of list(), or nothing for the one at the back. */
  async open(id = localStorage.getItem('lens') ?? '') {
    clearTimeout(this.again);
    this.wanted = true;
    this.on('starting');
    this.close();
    const size = { width: { ideal: 1280 }, height: { ideal: 720 } };
    this.turn += 1;
    const mine = this.turn;
    let stream = null;
    try {
      stream = await this.ask(id, size);
    } catch (problem) {
      if (mine === this.turn) this.refused(problem);
      return;
    }
    if (mine !== this.turn || !this.wanted) { // asked again meanwhile, or no longer needed
      for (const track of stream.getTracks()) track.stop();
      return;
    }
    this.stream = stream;
    const track = this.stream.getVideoTracks()[0];
    track.onended = () => this.retry();
    track.onmute = () => this.on('paused');
    track.onunmute = () => this.on('seeing');
    this.video.srcObject = this.stream;
    await this.video.play().catch(() => {});
    this.keepAwake();
    this.on('seeing');
  }

  async ask(id, size) {
    const back = { facingMode: { ideal: 'environment' }, ...size };
    if (!id) return navigator.mediaDevices.getUserMedia({ audio: false, video: back });
    try {
      return await navigator.mediaDevices.getUserMedia({ audio: false, video: { deviceId: { exact: id }, ...size } });
    } catch (problem) {
      if (problem.name === 'NotAllowedError') throw problem;
      localStorage.removeItem('lens'); // ids change when a phone forgets what it allowed
      return navigator.mediaDevices.getUserMedia({ audio: false, video: back });
    }
  }

  refused(problem) {
    const word = { NotAllowedError: 'denied', SecurityError: 'denied', NotFoundError: 'missing', OverconstrainedError: 'missing' }[problem.name] ?? 'busy';
    this.on(word);
    if (word === 'busy') this.retry();
  }

  retry() {
    clearTimeout(this.again);
    if (this.wanted && !document.hidden) this.again = setTimeout(() => this.open(), 1500);
  }

  /** wake comes back after the phone slept or showed something else. */
  wake() {
    if (this.seeing) {
      this.video.play().catch(() => {});
      this.keepAwake();
      this.on('seeing');
    } else this.open();
  }

  async keepAwake() {
    try {
      if (!this.lock || this.lock.released) this.lock = await navigator.wakeLock?.request('screen');
    } catch {
      this.lock = null; // a phone that saves power may refuse
    }
  }

  close() {
    for (const track of this.stream?.getTracks() ?? []) {
      track.onended = null;
      track.stop();
    }
    this.stream = null;
  }

  /** list is every camera that may be chosen. */
  async list() {
    const all = await navigator.mediaDevices.enumerateDevices();
    return all.filter((d) => d.kind === 'videoinput' && d.deviceId).map((d) => ({ id: d.deviceId, name: d.label }));
  }
}
