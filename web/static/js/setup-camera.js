// The second step of the wizard: what looks at the table. Cameras of the machine show
// what they see, again and again; one that is plugged in meanwhile comes along.
import { $, h, refocus, s, setText } from './dom.js';
import { t } from './i18n.js';
import { Refused } from './api.js';
import { unpressed } from './press.js';
import { told } from './refused.js';
import { knownCode, root } from './root.js';

const icons = {
  device: 'M3 8.5h4L9 5h6l2 3.5h4V19H3zM12 10a3.6 3.6 0 1 0 .01 0',
  phone: 'M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zM11 18h2',
  url: 'M4 11a11 11 0 0 1 16 0M7 14.5a7 7 0 0 1 10 0M10 18a3 3 0 0 1 4 0M12 20.5h.01',
  file: 'M4 5h16v14H4zM4 9h16M8 5v4M13 5v4M10 11.5v5l4.5-2.5z',
  demo: 'M12 3a9 9 0 1 0 .01 0M10 8.5v7l5.5-3.5z',
  none: 'M9 11V4.5a1.5 1.5 0 0 1 3 0V10l6 1.5c1 .3 1.5 1 1.5 2L18.5 20H10l-4-6c-.8-1.2 1-2.5 2-1.5z',
};

const icon = (kind) => s('svg', { viewBox: '0 0 24 24', class: 'sign-of', 'aria-hidden': 'true' }, s('path', { d: icons[kind] }));

const rest = 2500; // ms from one round of pictures to the next

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** here says whether this page is open on the machine that runs the program. */
const here = () => ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** kindOf tells what kind of source a text is. */
export function kindOf(source) {
  if (['none', 'demo', 'phone'].includes(source)) return source;
  if (source.startsWith('/dev/')) return 'device';
  return source.includes('://') ? 'url' : 'file';
}

/** taken says whether another program uses a camera. */
const taken = (camera) => Boolean(camera.busy) && camera.busy !== 'here';

export class CameraStep {
  constructor(wizard) {
    this.wizard = wizard;
    this.pictures = new Map(); // by number of the camera: address of its last picture
    this.turn = 0;
    this.asked = ''; // the kind whose address is being asked for
    this.typed = {}; // what was typed for each kind
    this.dark = new Set(); // numbers of the cameras that give no picture
    $('ask-source').addEventListener('submit', (event) => {
      event.preventDefault();
      const source = this.chosen();
      if (source !== null) this.wizard.look(source);
    });
    $('ask-input').addEventListener('input', () => {
      this.typed[this.asked] = $('ask-input').value;
      this.blame('');
    });
  }

  /** chosen is the camera to go on with: what was typed if something is asked for, else the one that is marked; null: what was typed cannot be one. */
  chosen() {
    const { plan, offer } = this.wizard;
    if ($('ask-source').hidden) return plan.source;
    const text = $('ask-input').value.trim();
    if (text === '' || text === 'http://') {
      if (plan.source === '' && kindOf(offer().now.source) === this.asked) return ''; // the one in force stays
      this.blame(t(`setup.${this.asked}.empty`));
      return null;
    }
    if (this.asked === 'file' || text.includes('://')) return text;
    if (/[.:/]/.test(text) || text === 'localhost') return `http://${text}`; // as people type addresses
    this.complain(new Refused('source-address', ''));
    return null;
  }

  /** complain says at the field what is wrong with what was typed. */
  complain(problem) {
    if ($('ask-source').hidden || !/^(source|eye)/.test(problem.code)) return false;
    this.blame(told(problem));
    return true;
  }

  /** blame marks the field as wrong, with the reason; an empty one takes that back. */
  blame(reason) {
    setText($('ask-problem'), reason);
    $('ask-problem').hidden = reason === '';
    $('ask-input').setAttribute('aria-invalid', String(reason !== ''));
    if (reason === '') return;
    $('ask-source').scrollIntoView({ block: 'center' });
    $('ask-input').focus({ preventScroll: true });
  }

  /** preset is the camera that "next" takes: the one in force ('' where its address is not told in full), else the first that is free, else the demo. */
  preset() {
    const { plan, chosen, offer } = this.wizard;
    const { now, cameras, fresh, eye } = offer();
    const demo = chosen().demo.length > 0;
    if (plan.source && (plan.source !== 'demo' || demo)) return plan.source;
    if (eye) return 'none';
    if (!fresh && ['phone', 'none'].includes(now.source)) return now.source;
    if (!fresh && ['url', 'file'].includes(kindOf(now.source))) return '';
    if (!fresh && cameras.some((camera) => camera.source === now.source)) return now.source;
    return cameras.find((camera) => !camera.busy || camera.busy === 'here')?.source ?? (demo ? 'demo' : 'none');
  }

  show() {
    const { plan, offer, chosen } = this.wizard;
    const { cameras, phone, eye, now } = offer();
    plan.source = this.preset();
    const kind = kindOf(plan.source || now.source);
    const card = (of, title, note, picture, source, extra = {}) => h('button', {
      type: 'button', class: 'wiz-card', 'data-source': source ?? of, 'aria-pressed': 'false', onclick: () => this.press(of, source), ...extra,
    }, picture, h('b', {}, title), h('small', {}, note));
    const local = (camera) => (taken(camera) ? t('setup.busy', { who: camera.busy }) : t(this.dark.has(camera.number) ? 'setup.dark' : 'setup.local'));
    const list = eye ? [] : cameras.map((camera) => card('device', camera.name, local(camera),
      h('span', { class: 'thumb', 'data-camera': camera.number }, icon('device')), camera.source, { 'aria-disabled': taken(camera) ? 'true' : null }));
    if (phone && !eye) list.push(card('phone', t('setup.phone'), t('setup.phone.note'), icon('phone'), 'phone'));
    const note = (of) => (plan.source === '' && kind === of ? now.source : t(`setup.${of}.note`));
    if (!eye) list.push(card('url', t('setup.url'), note('url'), icon('url')));
    if (here() && !eye) list.push(card('file', t('setup.file'), note('file'), icon('file')));
    if (chosen().demo.length && !eye) list.push(card('demo', t('setup.demo'), t('setup.demo.note'), icon('demo'), 'demo'));
    list.push(card('none', t('setup.none'), t('setup.none.note'), icon('none'), 'none'));
    const focused = $('cameras').contains(document.activeElement) ? document.activeElement.dataset.source : null;
    $('cameras').replaceChildren(...list);
    refocus(list.find((each) => each.dataset.source === focused));
    if (this.asked === '' || !list.some((each) => each.dataset.source === this.asked)) this.close();
    this.mark();
    const missing = eye ? 'setup.no-eye' : cameras.length ? '' : 'setup.no-camera';
    setText($('cameras-note'), missing && t(missing));
    $('cameras-note').hidden = missing === '';
    for (const [number, picture] of this.pictures) this.hang(number, picture);
    this.take();
  }

  /** mark shows which camera "next" takes: one that is being typed in, else the one that is planned. */
  mark() {
    const { plan, offer } = this.wizard;
    const kind = this.asked || (plan.source && !['url', 'file'].includes(kindOf(plan.source)) ? plan.source : kindOf(plan.source || offer().now.source));
    for (const button of $('cameras').children) button.setAttribute('aria-pressed', String(button.dataset.source === kind));
  }

  /** press takes a camera, asks for its address, or says why it cannot be had. */
  press(kind, source) {
    const { look, remark, offer } = this.wizard;
    const camera = offer().cameras.find((each) => each.source === source);
    if (!source) this.ask(kind);
    else if (camera && taken(camera)) remark(t('setup.busy.do', { who: camera.busy }));
    else {
      this.close();
      look(source);
    }
  }

  /** close lets go of what was being typed. */
  close() {
    this.asked = '';
    $('ask-source').hidden = true;
    this.blame('');
  }

  /** ask asks for an address or a file. */
  ask(kind) {
    const { plan } = this.wizard;
    if (this.asked !== kind) this.blame('');
    this.asked = kind;
    $('ask-source').hidden = false;
    setText($('ask-label'), t(kind === 'url' ? 'setup.url.ask' : 'setup.file.ask'));
    $('ask-input').inputMode = kind === 'url' ? 'url' : 'text';
    $('ask-input').value = plan.source && kindOf(plan.source) === kind ? plan.source : this.typed[kind] ?? (kind === 'url' ? 'http://' : '');
    $('ask-source').scrollIntoView({ block: 'center' });
    $('ask-input').focus({ preventScroll: true });
    this.mark();
  }

  hang(number, picture) {
    const frame = $('cameras').querySelector(`[data-camera="${number}"]`);
    frame?.replaceChildren(h('img', { src: picture, alt: '' }));
  }

  /** take asks every free camera for a picture, one after the other, for as long as the step is shown. */
  async take() {
    const mine = ++this.turn;
    const known = () => JSON.stringify(this.wizard.offer().cameras);
    for (let before = known(); mine === this.turn; before = known()) {
      if (!document.hidden) await this.round(mine);
      await pause(rest);
      if (mine !== this.turn || document.hidden) continue;
      await this.wizard.renew();
      if (known() !== before) unpressed('cameras', () => { if (mine === this.turn) this.show(); }); // begins a turn of its own
    }
  }

  /** round takes one picture of each free camera. */
  async round(mine) {
    const code = knownCode();
    const cameras = this.wizard.offer().cameras.filter((camera) => !taken(camera));
    for (const camera of cameras) {
      const answer = await fetch(`${root}/api/v1/cameras/${camera.number}/thumb.jpg`, { headers: code ? { 'X-Table-Code': code } : {} }).catch(() => null);
      if (mine !== this.turn) return;
      if (answer && answer.status >= 500 && !this.dark.has(camera.number)) {
        this.dark.add(camera.number);
        setText($('cameras').querySelector(`[data-source="${camera.source}"] small`), t('setup.dark'));
      }
      if (!answer?.ok) continue;
      if (this.dark.delete(camera.number)) setText($('cameras').querySelector(`[data-source="${camera.source}"] small`), t('setup.local'));
      const old = this.pictures.get(camera.number);
      this.pictures.set(camera.number, URL.createObjectURL(await answer.blob()));
      unpressed(`camera ${camera.number}`, () => this.hang(camera.number, this.pictures.get(camera.number)));
      if (old) URL.revokeObjectURL(old);
    }
  }

  leave() {
    this.turn++;
  }
}
