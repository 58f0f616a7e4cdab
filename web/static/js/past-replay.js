// A match again, step by step: what happened, and the table as it was then.
import { h, s, setText } from './dom.js';
import { language, t } from './i18n.js';
import { dieOf, inWords, kind, place, ruling, seatedAt, sign } from './moves.js';
import { token } from './players.js';
import { Scores } from './scores.js';
import { drawers } from './drawers.js';

const pace = 1000; // ms a step, when it plays by itself

const icons = { back: 'M16 5 8 12l8 7z', on: 'M8 5l8 7-8 7z', play: 'M7 4.5 19 12 7 19.5z', stop: 'M6 5h4v14H6zM14 5h4v14h-4z' };

const clock = (time) => new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(new Date(time));

/** Replay has a slider over the steps of a match, buttons, and keys: arrows, Home, End. */
export class Replay {
  /** onStep(number) is told which step is shown, from 0. */
  constructor(match, steps, onStep = () => {}) {
    Object.assign(this, { match, steps, onStep, at: steps.length - 1, timer: 0 });
    const button = (name, onclick) => h('button', { type: 'button', id: name, 'aria-label': t(`replay.${name}`), onclick }, s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: icons[name] })));
    this.back = button('back', () => this.move(this.at - 1));
    this.on = button('on', () => this.move(this.at + 1));
    this.play = button('play', () => (this.timer ? this.stop() : this.start()));
    this.slider = h('input', { type: 'range', id: 'step', min: 1, max: steps.length, step: 1, value: steps.length, 'aria-label': t('replay.label'), oninput: () => this.move(Number(this.slider.value) - 1) });
    this.count = h('p', { class: 'count' });
    this.act = h('div', { class: 'act', id: 'act', role: 'group', tabindex: 0, 'aria-label': t('verdict.label'), 'aria-live': 'polite' });
    this.body = h('div', { id: 'table-body' });
    const list = h('ol', { id: 'scores' }), extra = h('div', { id: 'extra' });
    this.scores = new Scores(list, extra, null);
    this.node = h('div', { class: 'replay' },
      h('section', { class: 'leaf steps', 'aria-label': t('replay.label') }, h('div', { class: 'steer' }, this.back, this.slider, this.on, this.play), this.count, this.act),
      h('section', { class: 'leaf then', 'aria-label': t('table.label') }, this.body),
      h('section', { class: 'scores', 'aria-label': t('scores.label') }, list, extra));
  }

  /** show puts the replay into the page, at its last step. */
  async show(page) {
    this.module = await drawers[this.match.game]();
    page.append(this.node);
    document.addEventListener('keydown', (event) => this.key(event));
    this.draw();
  }

  key(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.steps.length - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, nav')) return; // a slider knows its keys
    event.preventDefault();
    this.move(to);
  }

  /** move goes to a step; one that plays by itself stops. */
  move(to) {
    this.stop();
    this.go(to);
  }

  go(to) {
    this.at = Math.max(0, Math.min(this.steps.length - 1, to));
    this.draw();
  }

  start() {
    if (this.at === this.steps.length - 1) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.steps.length - 1) this.stop();
    }, pace);
    this.turn('stop');
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.turn('play');
  }

  /** turn makes the button that plays show what a tap does next. */
  turn(name) {
    this.play.setAttribute('aria-label', t(`replay.${name}`));
    this.play.querySelector('path').setAttribute('d', icons[name]);
  }

  draw() {
    const { at, steps } = this;
    const { event, players, sheets, state, to_move, at: time } = steps[at];
    seatedAt(players, this.match.game);
    const words = inWords(event);
    const where = t('replay.step', { n: at + 1, total: steps.length });
    this.slider.value = at + 1;
    this.slider.setAttribute('aria-valuetext', `${where}: ${words}`);
    this.back.disabled = at === 0;
    this.on.disabled = at === steps.length - 1;
    setText(this.count, `${where} · ${clock(time)}`);
    this.tell(event, words, players);
    const match = { id: this.match.id, game: this.match.game, players, sheets, state, to_move };
    this.scores.show(match);
    this.table(match, event);
    this.onStep(at);
  }

  /** tell is the event in words, with its verdict and the reason of one that was not allowed. */
  tell(event, words, players) {
    const what = kind(event), seat = players.indexOf(event.player);
    this.act.dataset.kind = what;
    this.act.replaceChildren(...[
      sign(what),
      h('div', { class: 'words' }, h('p', { class: 'said' }, seat >= 0 ? token(seat) : null, words), ruling(event) ? h('p', { class: 'why' }, ruling(event)) : null),
      h('div', { class: 'small' }, dieOf(event), place(event)),
    ]);
  }

  /** table draws what lay there; nothing can be tapped. */
  table(match, event) {
    const { body } = this.module.draw({
      match, state: match.state, able: false, bare: true, pick: {}, acts: [], hints: false, pointed: new Set(), wanted: [], last: event.type === 'move' ? event : null,
      me: 'A', letter: (seat) => 'ABCDEFGH'[seat],
    });
    this.body.className = `${match.game} still`;
    this.body.replaceChildren(...body.filter(Boolean));
  }
}
