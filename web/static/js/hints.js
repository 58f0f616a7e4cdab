// What is worth a look now: a list beside the board; a tap shows on the board where it is meant.
import { h, refocus } from './dom.js';
import { language, t } from './i18n.js';
import { dieName, drawDie, squareName } from './dice.js';
import { doing, icon } from './grid.js';
import { inWords } from './moves.js';
import { token } from './players.js';
import { root } from './root.js';
import { dessert } from './scores.js';

const few = 5; // names or dice that are told one by one
const first = 5; // hints that are shown at once; the others are behind one more tap

const and = (names) => new Intl.ListFormat(language).format(names);
const seatOf = (name) => 'ABCDEFGH'.indexOf(name);

/** spot is a square, or a place on a card, as people say it: "mint-1, spot 2". */
const spot = (name) => name.replace(/^(.+)\.([0-2])$/, (_, card, i) => t('word.spot', { card, spot: Number(i) + 1 }));

/** words tell a hint in the page's language. */
function words(hint, { game, players }) {
  const { key, dice = [], to = [], from = [], points } = hint;
  const who = (name) => players[seatOf(name)] ?? name;
  const what = game === 'dessert-dice' ? hint.for && t(`dessert.${hint.for}`) : who(hint.for);
  return t(`hint.${key}`, {
    dice: dice.length > few ? t('hint.dice', { count: dice.length }) : and(dice.map((die) => (die.color ? dieName(die.color, die.face) : String(die.face)))),
    to: to.length > few ? t('hint.squares', { count: to.length }) : and(to.map(spot)), from: and(from.map((name) => (/^[A-H]$/.test(name) ? who(name) : name))), for: what, points,
  });
}

/** picture is a hint for those who do not read: from whom, which dice, for what. */
function picture({ dice = [], from = [], for: what }, { game }) {
  return h('span', { class: 'pictures', 'aria-hidden': 'true' },
    from.filter((name) => /^[A-H]$/.test(name)).map((name) => token(seatOf(name))), dice.slice(0, dice.length > few ? 2 : few).map((die) => drawDie(die.color || null, die.face)), dice.length > few ? '…' : null,
    game === 'dessert-dice' && what ? dessert(what) : null);
}

/** meant are the squares, spots and Customers of a hint. */
const meant = (hint) => [...(hint.to ?? []), ...(hint.from ?? []), hint.for].filter((name) => name && !/^[A-Z]$/.test(name));

/** asHint makes a hint of an act that a search found. */
const asHint = ({ move }, player) => ({
  good: inWords({ type: 'move', player, move }), dice: move.color ? [{ color: move.color, face: move.face }] : [],
  to: [move.to, move.from].filter(Boolean).map((square) => squareName(...square)),
});

/** Hints is the list; it is there while it is wanted. */
export class Hints {
  /** suggest(ask) finds a good act, and may ask for a secret card; point(names, dice) shows where something is meant. */
  constructor(node, { suggest, point }) {
    Object.assign(this, { node, suggest, point, on: false, list: [], key: '' });
  }

  toggle() {
    this.on = !this.on;
    this.key = '';
    if (!this.on) this.choose(null);
    this.show(this.match);
    if (this.on) this.node.scrollIntoView({ block: 'nearest' });
    return this.on;
  }

  /** show keeps the list up to date with a match. */
  async show(match) {
    this.match = match;
    this.node.hidden = !this.on;
    const key = `${match?.id}:${match?.seq}`;
    if (!this.on || key === this.key) return;
    this.key = key;
    const answer = await fetch(`${root}/api/v1/hints`).catch(() => null);
    const { hints } = answer?.ok ? await answer.json() : { hints: [] };
    if (key !== this.key) return;
    this.list = hints;
    this.all = false;
    this.choose(null);
    this.think(false);
  }

  /** think looks for a good act; where a secret card would have to be known only if ask allows it. */
  async think(ask) {
    const { key, match } = this;
    const found = match.to_move < 0 ? null : await this.suggest(ask);
    if (key !== this.key || !found) return;
    const good = asHint(found, match.players[match.to_move]);
    this.list = [good, ...this.list.filter((hint) => !hint.good)];
    this.choose(good);
  }

  /** choose shows on the board where a hint is meant; null: nowhere. */
  choose(hint) {
    this.chosen = hint;
    this.point(hint ? meant(hint) : [], hint?.dice ?? []);
    if (this.on) this.draw();
  }

  draw() {
    const { match, list, chosen } = this;
    const item = (hint) => h('li', {}, h('button', {
      type: 'button', class: hint.good ? 'good' : null, 'data-hint': hint.key ?? 'good', 'aria-pressed': String(hint === chosen), onclick: () => this.choose(hint === chosen ? null : hint),
    }, picture(hint, match), h('span', { class: 'words' }, hint.good ?? words(hint, match)), hint.points ? h('b', { class: 'worth' }, icon('star'), String(hint.points)) : null));
    const at = this.node.contains(document.activeElement) ? [...this.node.querySelectorAll('button')].indexOf(document.activeElement) : -1;
    this.node.replaceChildren(h('h2', {}, t('hint.label')),
      h('ul', {}, (this.all ? list : list.slice(0, first)).map(item), list.length ? null : h('li', { class: 'none' }, t('hint.none'))),
      this.all || list.length <= first ? '' : doing('', t('hint.more', { count: list.length - first }), () => { this.all = true; this.draw(); }, { key: 'hint-more' }),
      match.game === 'dessert-dice' && match.to_move >= 0 && !list[0]?.good ? doing('bulb', t('hint.card'), () => this.think(true), { key: 'hint-card' }) : '');
    if (at >= 0) refocus(this.node.querySelectorAll('button')[at]);
  }
}
