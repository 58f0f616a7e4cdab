// The table to tap on: what lies there, what can be done, and why something cannot.
import { $, h, refocus, setText } from './dom.js';
import { t } from './i18n.js';
import { chooseOne } from './chooser.js';
import { told } from './refused.js';
import { below, root } from './root.js';
import { dessert } from './scores.js';
import { token } from './players.js';
import { sign, why } from './moves.js';
import { unpressed } from './press.js';
import { drawers } from './drawers.js';

/** Games without a board: what belongs to whom is drawn also beside a picture. */
const loose = ['fromage-a-trois', 'dicecreams'];

const narrow = matchMedia('(max-width: 55.99rem)'); // where the notepad comes first

/** Games in which the server can say what is good. */
const suggesting = ['dessert-dice', 'dice-box'];

/** cardOf is the secret card of whoever holds this device, asked once a match; null where it is not known and must not be asked. */
async function cardOf(who, may) {
  const known = JSON.parse(sessionStorage.getItem('cards') ?? '{}');
  if (!known[who] && !may) return null;
  const card = known[who] ?? await chooseOne(t('card.whose'), [['J', 'S', 'P', 'I'].map((letter) => ({ node: dessert(letter), label: t(`dessert.${letter}`), value: letter }))], t('card.keep'));
  if (card) sessionStorage.setItem('cards', JSON.stringify({ ...known, [who]: card }));
  return card;
}

const ask = async (path) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
};

/** Table keeps what is chosen, asks the server what is legal, and draws. */
export class Table {
  /** able: things can be tapped; taps tells the server; notice(text) tells something for a moment; tell(text) says it aloud; next(score) ends a turn that a camera saw. */
  constructor({ able, taps, notice, tell, next }) {
    Object.assign(this, { able, taps, notice, tell, next, pick: {}, acts: [], hints: false, pointed: new Set(), wanted: [], key: '', game: '' });
    if (!able) return;
    addEventListener('resize', () => this.see());
    $('unfold').addEventListener('click', () => {
      this.unfolded = !this.unfolded;
      $('unfold').setAttribute('aria-pressed', String(this.unfolded));
      this.redraw();
    });
  }

  /** show draws a match; bare: no camera looks on; last is the newest act. */
  async show(match, bare, last) {
    const { game, state } = match;
    const key = `${match.id}:${match.seq}`;
    if (key !== this.key) {
      this.pick = {};
      this.hush();
    }
    Object.assign(this, { match, state, bare, last, key });
    document.documentElement.dataset.game = game;
    const shown = Boolean(drawers[game] && state && (bare || loose.includes(game)));
    $('table').hidden = !shown;
    if (!shown) {
      $('doing')?.replaceChildren();
      return;
    }
    this.acts = [];
    this.asked = false;
    if (game !== this.game) this.module = await drawers[game]();
    this.game = game;
    if (this.key !== key) return;
    this.redraw();
    if (!this.able) return;
    const { acts } = this.module.asks ? await ask(`${root}/api/v1/legal?limit=1000`).catch(() => this) : this;
    if (this.key !== key) return;
    Object.assign(this, { acts, asked: true });
    this.redraw();
  }

  /** point shows where a hint is meant, and which dice; on: hints are wanted. */
  point(names, dice, on) {
    Object.assign(this, { pointed: new Set(names), wanted: dice, hints: on });
    this.redraw();
  }

  /** suggest asks for a good act of the player whose turn it is; null where nobody can say. A secret card is asked for only where it may be. */
  async suggest(may) {
    const { match } = this;
    if (!suggesting.includes(match.game) || match.to_move < 0) return null;
    const card = match.game === 'dessert-dice' ? await cardOf(`${match.id} ${match.to_move}`, may) : '';
    if (card === null) return null;
    const { hints } = await ask(`${root}/api/v1/hint?card=${card}`).catch(() => ({ hints: [] }));
    return hints[0] ?? null;
  }

  /** me is the letter of the seat that is to act, as the notation has it. */
  get me() { return this.letter(Math.max(this.match.to_move, 0)); }

  letter(seat) { return 'ABCDEFGH'[seat]; }

  /** set chooses something and draws it. */
  set(pick) {
    this.pick = pick;
    this.chosen = true; // what it can be done with is brought into view when it is drawn, which may be after the tap
    this.hush();
    this.redraw();
  }

  /** see brings into view where what was chosen can go. */
  see() {
    if ($('table').hidden || !Object.keys(this.pick).length) return;
    if (narrow.matches) document.documentElement.style.scrollPaddingBottom = `${$('verdict').parentElement.offsetHeight + 8}px`; // what stays at the bottom hides what is under it
    $('table-body').querySelector('.lit')?.scrollIntoView({ block: 'nearest' });
  }

  redraw() { unpressed('table', () => this.draw()); }

  draw() {
    if (!this.module || !this.match || this.game !== this.match.game) return;
    const { match } = this;
    const had = document.activeElement?.closest?.('#table, #doing') ? document.activeElement.dataset.key : null;
    const { todo, body, does = [] } = this.module.draw(this);
    const seat = match.to_move;
    $('table-who').replaceChildren(...(seat >= 0 ? [token(seat), h('b', { dir: 'auto' }, match.players[seat])] : []));
    $('table-who').className = seat >= 0 ? `seat${seat % 5}` : '';
    $('show-me').hidden = !this.able || !this.bare || seat < 0;
    const folds = Boolean(this.able && this.module.folds?.(this));
    $('unfold').hidden = !folds;
    $('table').classList.toggle('folded', folds && !this.unfolded);
    const [key, values] = folds && !this.unfolded && narrow.matches ? ['todo.pad'] : [todo].flat();
    setText($('table-todo'), this.able && key ? t(key, values) : '');
    $('table').dataset.todo = key;
    $('table').dataset.drawn = `${match.seq}${this.asked ? '' : ' '}`;
    $('table-body').className = `${this.game}${this.able ? '' : ' still'}`;
    $('table-body').replaceChildren(...body.filter(Boolean));
    $('doing').replaceChildren(...[does].flat(2).filter(Boolean));
    $('table-body').tabIndex = $('table-body').querySelector('button:enabled') ? -1 : 0; // to scroll by keyboard where nothing can be tapped
    if (had) refocus(document.querySelector(`:is(#table-body, #doing) [data-key="${had}"]`));
    if (this.chosen) this.see();
    this.chosen = false;
  }

  /** act plays an act; an illegal one is explained, and kept where the players say so. On a table that has changed since it counts if it is
   * legal there. */
  act(move, keep = false, still = async () => Boolean((await this.check(move))?.legal)) {
    return this.once({ say: 'act', move, ...(keep ? { keep } : {}) }, still, () => this.act(move, true));
  }

  /** lay tells how the whole table lies, as it is drawn now. */
  lay(move) { return this.act(move, false, () => false); }

  /** once tells the server something, in its turn. */
  async once(said, still, keep) {
    this.hush();
    try {
      return await this.taps.tell('declare', said, still);
    } catch (problem) {
      if (problem.code === 'illegal') this.explain(problem.body.ruling, keep);
      else this.refuse(problem);
      return false;
    }
  }

  /** check judges an act without playing it; null where it makes no sense. */
  async check(move) {
    return ask(`${root}/api/v1/why?act=${encodeURIComponent(move)}`).catch(() => null);
  }

  /** roll lets the program's dice decide, for whoever's turn it is now. */
  roll(count) { return this.once({ say: 'roll', ...(count ? { count } : {}) }, () => false); }

  refuse(problem) { this.notice(told(problem)); }

  /** explain shows why an act is not allowed, and lets it be kept where it can be. */
  explain(ruling, keep) {
    const reason = why(ruling);
    $('tried-sign').replaceChildren(sign('bad'));
    setText($('tried-why'), reason);
    $('tried-do').replaceChildren(...[
      keep && ruling.keepable ? h('button', { type: 'button', id: 'tried-keep', onclick: () => { this.hush(); keep(); } }, t('do.keep')) : null,
      h('button', { type: 'button', id: 'tried-close', class: 'main', onclick: () => this.hush() }, t('do.understood')),
    ].filter(Boolean));
    $('tried').hidden = false;
    this.tell(`${t('sign.bad')}. ${reason}`);
  }

  hush() { $('tried').hidden = true; }
}

/** luck is a whole number below n that nobody can foretell. */
export const luck = (n) => crypto.getRandomValues(new Uint32Array(1))[0] % n;
