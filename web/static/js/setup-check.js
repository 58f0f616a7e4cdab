// The third step of the wizard: does the camera see the table well? The picture with
// what was found, lamps for what can be mended, a test read, and what only people know:
// where the corners are, what the stickers of an arena mean, whose place is where.
import { $, h, s, setText } from './dom.js';
import { t } from './i18n.js';
import { listen, showPictures } from './live.js';
import { blind } from './refused.js';
import { Overlay } from './board.js';
import { Frame } from './frame.js';
import { Handles } from './corners.js';
import { dieName, drawDie, squareName } from './dice.js';
import { token } from './players.js';
import { usual } from './setup-game.js';
import { drawMarker, kinds } from './setup-marks.js';
import { draw, joining, offer } from './lan.js';
import { wordsOf } from './warnings.js';

/** The lamps and the warnings that each stands for. */
const lamps = {
  board: ['no-board', 'board-cut-off', 'hand', 'moved'],
  light: ['dark'],
  glare: ['glare'],
  sharp: ['blurred', 'too-far', 'too-close', 'too-flat'],
};

const icons = {
  board: 'M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16',
  light: 'M12 7.5a4.5 4.5 0 1 0 .01 0M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19',
  glare: 'M12 3l1.8 6.2L20 11l-6.2 1.8L12 19l-1.8-6.2L4 11l6.2-1.8zM19 16l.8 2.2L22 19l-2.2.800L19 22',
  sharp: 'M12 4a8 8 0 1 0 .01 0M12 1v5M12 18v5M1 12h5M18 12h5',
};

const patience = 10_000; // ms that a camera may take for its first picture

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

const button = (text, onclick, more = {}) => h('button', { type: 'button', onclick, ...more }, text);
const dearer = (die) => `${die.color} ${die.face}`;

export class CheckStep {
  constructor(wizard) {
    this.wizard = wizard;
    this.seen = null;
    this.camera = { state: 'starting' };
    this.zone = 0; // which zone's corners are shown
    this.live = false;
    this.late = false; // no picture came in time
  }

  start() {
    this.live = true;
    offer($('scan-allow'), () => this.invite(), (problem) => setText($('scan-text'), problem));
    this.overlay = new Overlay($('overlay'), (spot) => this.tap(spot));
    this.frame = new Frame($('stage'), $('live'), $('overlay'));
    this.frame.toggle();
    this.handles = new Handles($('handles'), {
      label: (i) => (this.loose() ? t('setup.zone.corner', { n: i + 1 }) : t('setup.corner', { n: i + 1, square: squareName(...[[0, 0], [0, 4], [4, 4], [4, 0]][i]) })),
      move: (points) => this.outline(points),
      done: (points) => this.moved(points),
    });
    new MutationObserver(() => this.align()).observe($('overlay'), { attributeFilter: ['viewBox'] });
    showPictures($('live'), () => $('stage').classList.add('seen'));
    listen({
      match() {},
      seen: (seen) => this.see(seen),
      camera: (status) => this.status(status),
      link: (up) => { if (!up) this.status({ state: 'starting' }); },
    });
  }

  /** align lays the handles over the picture as the drawing lies. */
  align() {
    $('handles').setAttribute('viewBox', $('overlay').getAttribute('viewBox'));
    this.handles.draw();
  }

  show() {
    if (!this.live) this.start();
    this.shown = true;
    this.await();
    this.arrange();
    this.status(this.camera);
    if (this.seen) this.see(this.seen);
  }

  leave() {
    this.shown = false;
    clearTimeout(this.waiting);
  }

  /** await gives the camera its time for a first picture. */
  await() {
    clearTimeout(this.waiting);
    this.late = false;
    this.waiting = setTimeout(() => {
      this.late = !this.seen;
      this.status(this.camera);
    }, patience);
  }

  /** failed says whether there is no picture, and none is likely to come by itself. */
  failed() {
    return !this.seen && (this.late || ['failed', 'retrying', 'ended'].includes(this.camera.state));
  }

  /** worry waits, for a while, for the camera to answer, and tells what going on now would be without: a key of words, or ''. */
  async worry() {
    for (const end = performance.now() + patience; $('scan').hidden && !this.failed() && !(this.seen && this.board()) && performance.now() < end;) await pause(100);
    if (!this.seen) return $('scan').hidden ? 'worry.picture' : 'worry.phone';
    return this.board() === 'found' ? '' : 'worry.board';
  }

  /** board says whether the board is found, lost, or not looked for yet (''), as while a hand is over it. */
  board() {
    if (this.loose() || this.wizard.plan.corners) return 'found';
    if (this.seen?.warnings?.some((w) => w.code === 'no-board')) return 'lost';
    return this.found ? 'found' : '';
  }

  loose() { return this.wizard.chosen().layout === 'loose'; }

  status(camera) {
    this.camera = camera;
    if (!this.shown) return;
    const good = camera.state === 'running';
    $('state').dataset.state = good ? 'read' : `camera-${camera.state}`;
    setText($('state-text'), t(good ? 'setup.seeing' : `state.camera.${camera.state}`));
    setText($('state-why'), good ? '' : blind(camera));
    const waiting = this.wizard.plan.source === 'phone' && camera.phone !== 'here' && camera.phone !== 'ready';
    if (waiting && $('scan').hidden) this.invite();
    $('scan').hidden = !waiting;
    if (this.gone !== this.failed() || waiting) this.arrange();
    $('wizard').classList.toggle('blind', !this.seen);
    this.light();
  }

  /** invite shows the code that makes a phone the camera, or the button that lets phones in. */
  async invite() {
    const how = await joining();
    const drawn = Boolean(how?.addresses.length) && await draw($('scan-picture'), '/camera');
    $('scan-picture').hidden = !drawn;
    $('scan-allow').hidden = drawn || !how?.may_open;
    setText($('scan-text'), t(drawn ? 'join.scan' : how?.may_open ? 'join.private' : 'join.alone'));
    setText($('scan-where'), drawn ? t('join.typed', { address: `http://${how.addresses[0]}/camera`, code: how.code }) : '');
  }

  see(seen) {
    this.seen = seen.width ? seen : null;
    this.found = Boolean(seen.width && (this.found || seen.board?.found)); // since this camera is tried
    if (this.gone || $('wizard').classList.contains('blind')) this.status(this.camera);
    if (!this.shown) return;
    const { plan } = this.wizard;
    this.frame.show(seen);
    this.align();
    this.overlay.draw(seen.width ? { ...seen, board: plan.corners && this.handles.busy ? null : seen.board } : { ...seen, width: 4 });
    this.light();
    this.read();
    if (seen.width) this.place();
  }

  /** place puts the handles where the corners are. */
  place() {
    const { plan } = this.wizard;
    const { width, height, board } = this.seen;
    const fits = plan.corners && plan.picture?.[0] === width && plan.picture?.[1] === height;
    const points = this.loose() ? this.zonePoints(this.zones()[this.zone]) : fits ? plan.corners : board?.found ? board.corners : this.somewhere();
    this.handles.show(points, [width, height]);
    this.outline(this.handles.points);
  }

  /** somewhere is where the corners wait to be dragged, if no board was found. */
  somewhere() {
    const { width: w, height: v } = this.seen;
    return [[0.3 * w, 0.25 * v], [0.7 * w, 0.25 * v], [0.75 * w, 0.8 * v], [0.25 * w, 0.8 * v]];
  }

  /** outline draws what the handles bound: the board, or the zones. */
  outline(points) {
    const old = $('handles').querySelector('.bounds');
    const text = (list) => list.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
    const parts = this.loose() ? this.zones().map((zone, i) => this.drawZone(zone, i, i === this.zone ? points : this.zonePoints(zone), text))
      : this.wizard.plan.corners || this.handles.busy || !this.seen.board?.found ? [s('polygon', { class: 'bound', points: text(points) })] : [];
    const group = s('g', { class: 'bounds', 'aria-hidden': 'true' }, parts, this.marked());
    if (old) old.replaceWith(group);
    else $('handles').prepend(group);
  }

  /** zones are those of the plan, else the layout that the game begins with. */
  zones() {
    const { plan, chosen } = this.wizard;
    const game = chosen();
    if (plan.source === 'demo') return game.demo_zones ?? [];
    const n = Math.min(Math.max(plan.players.length || usual(game), game.players[0]), game.players[1]);
    plan.zones ??= structuredClone(game.zones?.[n - game.players[0]] ?? []);
    return plan.zones;
  }

  zonePoints(zone) {
    return (zone?.outline ?? []).map(([x, y]) => [x * this.seen.width, y * this.seen.height]);
  }

  drawZone(zone, i, points, text) {
    const [x, y] = points.reduce((sum, p) => [sum[0] + p[0] / points.length, sum[1] + p[1] / points.length], [0, 0]);
    const size = this.seen.width / 18;
    const seat = zone.kind === 'place' ? token(zone.seat) : null;
    if (seat) for (const [name, value] of Object.entries({ x: x - size / 2, y: y - size / 2, width: size, height: size })) seat.setAttribute(name, value);
    return s('g', { class: `zone-of ${i === this.zone ? 'chosen' : ''} ${zone.kind === 'place' ? `seat${zone.seat % 5}` : ''}` },
      s('polygon', { points: text(points) }), seat ?? s('text', { x, y, 'font-size': size * 0.6 }, t(`zone.${zone.kind}`)));
  }

  moved(points) {
    const { plan, tryCamera } = this.wizard;
    const { width, height } = this.seen;
    if (plan.source === 'demo') { // they are those of the recording
      this.place();
      return;
    }
    if (this.loose()) {
      this.zones()[this.zone].outline = points.map(([x, y]) => [x / width, y / height]);
      this.outline(points);
      return;
    }
    Object.assign(plan, { corners: points.map((p) => p.map((v) => Math.round(v * 10) / 10)), picture: [width, height] });
    this.arrange();
    tryCamera();
  }

  /** arrange offers what can be done in this game. */
  arrange() {
    const { plan, chosen } = this.wizard;
    const { layout } = chosen();
    const tools = [];
    this.gone = this.failed();
    if (this.gone) tools.push(button(t('setup.again'), () => this.again()), button(t('setup.elsewhere'), () => this.wizard.elsewhere()));
    else if (layout === 'loose') {
      tools.push(...this.zones().map((zone, i) => button(zone.kind === 'place' ? [token(zone.seat), t('zone.place', { n: zone.seat + 1 })] : t(`zone.${zone.kind}`), () => this.choose(i), {
        'aria-pressed': String(i === this.zone), class: zone.kind === 'place' ? `seat${zone.seat % 5}` : null,
      })), ...this.counts());
    } else if (plan.corners) tools.push(button(t('setup.find-again'), () => this.findAgain()), button(t('setup.turn'), () => this.turn()));
    $('tools').replaceChildren(...tools);
    $('tools').hidden = tools.length === 0;
    setText($('check-hint'), this.gone || !$('scan').hidden ? '' : t(plan.source === 'demo' ? 'setup.hint.demo' : `setup.hint.${layout}`));
  }

  /** counts lets people say how many they are: each needs a place. */
  counts() {
    const { plan, chosen } = this.wizard;
    if (plan.source === 'demo') return [];
    const { players: [least, most] } = chosen();
    const now = Math.max(plan.players.length || usual(chosen()), least);
    return [h('span', { class: 'wiz-counts', role: 'group', 'aria-label': t('setup.players') }, Array.from({ length: most - least + 1 }, (_, i) => button(String(least + i), () => {
      plan.count = least + i;
      plan.players = Array.from({ length: plan.count }, (__, seat) => plan.players[seat] ?? t('setup.player', { n: seat + 1 }));
      plan.zones = null;
      this.zone = 0;
      this.arrange();
      if (this.seen) this.place();
    }, { 'aria-pressed': String(least + i === now) })))];
  }

  choose(i) {
    this.zone = i;
    this.arrange();
    if (this.seen) this.place();
  }

  /** again tries the camera once more. */
  again() {
    this.await();
    this.status({ state: 'starting' });
    this.wizard.tryCamera();
  }

  findAgain() {
    const { plan, tryCamera } = this.wizard;
    plan.corners = null;
    this.arrange();
    tryCamera();
  }

  /** turn numbers the squares from the next corner. */
  turn() {
    const [first, ...others] = this.wizard.plan.corners;
    this.moved([...others, first]);
  }

  /** tap sets what the sticker of a hole means. */
  tap(spot) {
    const { plan, chosen } = this.wizard;
    if (chosen().layout !== 'arena') return;
    const dialog = $('mark');
    const known = this.markers();
    setText($('mark-title'), t('setup.mark', { square: squareName(spot.row, spot.col) }));
    const set = (marker) => {
      const once = ['center', 'bonus'];
      if (!plan.corners && this.seen?.board?.found) { // the eye takes markers with the corners that they lie between
        Object.assign(plan, { corners: this.seen.board.corners, picture: [this.seen.width, this.seen.height] });
        this.arrange();
      }
      plan.markers = known.filter((m) => (m.row !== spot.row || m.col !== spot.col) && !(once.includes(marker) && m.marker === marker));
      if (marker) plan.markers.push({ row: spot.row, col: spot.col, marker });
      dialog.close();
      this.outline(this.handles.points);
    };
    $('marks').replaceChildren(...kinds.map((kind) => h('button', { type: 'button', onclick: () => set(kind) }, drawMarker(kind), t(`marker.${kind}`))),
      h('button', { type: 'button', onclick: () => set('') }, t('marker.none')));
    dialog.showModal();
  }

  /** markers are those that people set, else those that were read. */
  markers() { return this.wizard.plan.markers ?? this.seen?.markers ?? []; }

  /** marked draws the markers into their holes. */
  marked() {
    if (this.wizard.chosen().layout !== 'arena' || !this.overlay.at) return [];
    return this.markers().map(({ row, col, marker }) => {
      const [x, y] = this.overlay.at((col + 0.5) / 5, (row + 0.5) / 5);
      const [a, b] = this.overlay.at((col + 1) / 5, (row + 0.5) / 5);
      const picture = drawMarker(marker);
      const size = Math.hypot(a - x, b - y) * 1.2;
      for (const [name, value] of Object.entries({ x: x - size / 2, y: y - size / 2, width: size, height: size })) picture.setAttribute(name, value);
      return picture;
    });
  }

  /** light sets the lamps: what is good, what to mend, and what is not known yet. */
  light() {
    const { seen } = this;
    const known = { board: Boolean(seen), light: Boolean(seen), glare: seen?.dice.length > 0, sharp: seen?.dice.length > 1 };
    const list = Object.entries(lamps).filter(([name]) => name !== 'board' || !this.loose()).map(([name, of]) => {
      const bad = (seen?.warnings ?? []).find((w) => of.includes(w.code));
      if (this.gone) return { name, state: 'bad', advice: t('lamp.failed') };
      const state = bad ? 'bad' : known[name] ? 'good' : 'wait';
      const advice = bad ? wordsOf(bad) : t(state === 'good' ? `lamp.${name}.good` : seen ? 'lamp.put-dice' : 'lamp.wait');
      return { name, state, advice };
    });
    const key = JSON.stringify(list);
    if (key === this.lit) return;
    this.lit = key;
    $('lamps').replaceChildren(...list.map(({ name, state, advice }) => h('li', { class: 'wiz-lamp', 'data-lamp': name, 'data-state': state },
      s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: icons[name] })),
      h('span', {}, h('b', {}, t(`lamp.${name}`)), h('small', {}, advice)),
      s('svg', { viewBox: '0 0 24 24', class: 'verdict-of', 'aria-hidden': 'true' }, s('path', { d: { good: 'M5 12.5 10 17.5 19 7', bad: 'M12 4v10M12 19.5v.01', wait: 'M6 12h.01M12 12h.01M18 12h.01' }[state] })))));
  }

  /** read shows the dice as they were read, to be compared with the table. */
  read() {
    const dice = [...(this.seen?.dice ?? [])].sort((a, b) => dearer(a).localeCompare(dearer(b)));
    const doubtful = dice.filter((die) => !die.sure).length;
    setText($('read-count'), [dice.length ? t('drop.dice', { n: dice.length }) : t('setup.no-dice'), doubtful ? t('drop.doubtful', { n: doubtful }) : ''].filter(Boolean).join(', '));
    const key = JSON.stringify(dice.map((die) => [die.color, die.face, die.sure]));
    if (key === this.told) return;
    this.told = key;
    $('read-dice').replaceChildren(...dice.slice(0, 40).map((die) => h('li', { class: die.sure ? null : 'doubtful' }, drawDie(die.color, die.face, dieName(die.color, die.face)))));
  }
}
