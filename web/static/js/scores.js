// The score board: a row a player, in seat order, always in the same place.
import { h, refocus, s, setText } from './dom.js';
import { has, t } from './i18n.js';
import { drawPad } from './pad.js';
import { token } from './players.js';
import { colors, drawDie } from './dice.js';

/** Drawings of the desserts, by the letters of their cards. */
const desserts = {
  J: 'M7 8h10l3 11H4zM8 8c0-4 8-4 8 0M8.5 12.5h7',
  S: 'M12 12c1.5-1.5 3.5.5 2 2.5s-6 1-6-2.5 3.5-6 7-5 5 5 3.5 9-5.5 5-9 4.5-6-4-5.5-8S8 5 11 4',
  P: 'M8 15V7a4 4 0 0 1 8 0v8zM12 15v6M11 7v5',
  I: 'm7 11 5 11 5-11zM6.5 11a5.5 5.5 0 1 1 11 0z',
};

const lineName = (name) => (has(`line.${name}`) ? t(`line.${name}`) : name);

/** dessert is the drawing of a dessert, by the letter of its card. */
export const dessert = (letter) => s('svg', { viewBox: '0 0 24 24', class: 'dessert', 'aria-hidden': 'true' }, s('path', { d: desserts[letter] }));

/** map is the board in small with some squares filled. */
const map = (squares) => s('svg', { viewBox: '0 0 25 25', class: 'map', 'aria-hidden': 'true' },
  Array.from({ length: 25 }, (_, i) => s('rect', { x: (i % 5) * 5 + 0.4, y: Math.floor(i / 5) * 5 + 0.4, width: 4.2, height: 4.2, rx: 0.8, class: squares.some(([row, col]) => row * 5 + col === i) ? 'full' : null })));

/** clusters are those of the four desserts: the cards are secret, the board is not. */
const clusters = ({ clusters: points, cells }) => h('div', { class: 'tiles', role: 'group', 'aria-label': t('clusters.label') },
  Object.keys(desserts).map((letter) => h('div', {}, dessert(letter), h('b', {}, String(points[letter] ?? 0)), cells ? map(cells[letter] ?? []) : null, h('span', {}, t(`dessert.${letter}`)))));

/** tallies are the points of every color on the grid of Dice Box; those that nobody owns stand apart. */
function tallies({ sheets, state }) {
  const names = { R: 'red', Y: 'yellow', B: 'blue', W: 'white' };
  const own = (sheets ?? []).flatMap((sheet) => (sheet.lines ?? []).map(({ name, points }) => [name, points, sheet.player]));
  const free = Object.entries(state.unclaimed ?? {}).map(([letter, points]) => [names[letter] ?? letter, points, -1]);
  return h('div', { class: 'tiles', role: 'group', 'aria-label': t('tallies.label') }, [...own, ...free].map(([name, points, seat]) => h('div', {},
    drawDie(name, 0, t(`color.${name}`)), h('b', {}, String(points)), seat >= 0 ? token(seat) : h('span', {}, t('tallies.free')))));
}

/** Scores shows the players of a match, whose turn it is, and what they have. */
export class Scores {
  /** onCell(seat, round, score) is called when a cell of the notepad is tapped; without it none can be. */
  constructor(list, extra, onCell) {
    this.onCell = onCell;
    this.list = list;
    this.extra = extra;
    this.rows = [];
    this.key = '';
  }

  build(match) {
    this.rows = match.players.map((name, seat) => {
      const total = h('output', { class: 'total' });
      const parts = h('span', { class: 'parts' });
      const turn = h('span', { class: 'turn' });
      const row = h('li', { class: `seat${seat % 5}` },
        token(seat), h('span', { class: 'name' }, h('b', { dir: 'auto' }, name), turn), parts, total);
      return { row, total, parts, turn };
    });
    this.list.replaceChildren(...this.rows.map((r) => r.row));
  }

  show(match) {
    const key = JSON.stringify([match.id, match.players]);
    if (key !== this.key) {
      this.key = key;
      this.build(match);
    }
    const best = Math.max(...(match.sheets ?? []).map((sheet) => sheet.total));
    this.rows.forEach(({ row, total, parts, turn }, seat) => {
      const sheet = match.sheets?.find((each) => each.player === seat);
      const active = match.to_move === seat;
      row.classList.toggle('active', active);
      row.classList.toggle('winner', match.to_move === -2 && sheet?.total === best);
      if (active) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
      setText(turn, active ? t('turn') : '');
      if (match.game === 'dessert-dice' && !sheet?.lines?.length) {
        this.secret(total, parts);
        return;
      }
      setText(total, sheet ? String(sheet.total) : '');
      const lines = match.game === 'dice-flick' ? [] : sheet?.lines ?? []; // that game has its notepad
      parts.replaceChildren(...lines.map((line) => h('span', {},
        colors.includes(line.name) ? drawDie(line.name, 0, t(`color.${line.name}`)) : `${lineName(line.name)} `,
        h('b', {}, String(line.points)))));
    });
    this.more(match);
  }

  /** more is what a game has besides points; it is drawn anew only when it changed. */
  more(match) {
    const { game, state } = match;
    const what = game === 'dessert-dice' ? [state?.clusters, state?.cells]
      : game === 'dice-box' ? [match.sheets, state?.unclaimed]
        : game === 'dice-flick' ? [state?.notepad, state?.totals, state?.round, match.to_move, match.players, match.provisional] : null;
    const shown = JSON.stringify([game, what ?? null]);
    if (shown === this.shown) return;
    this.shown = shown;
    const had = this.extra.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.extra.replaceChildren();
    const pad = game === 'dice-flick' && state?.notepad;
    this.list.hidden = Boolean(pad); // the notepad has names and totals
    if (game === 'dessert-dice' && state?.clusters) this.extra.append(clusters(state));
    if (game === 'dice-box' && state?.unclaimed) this.extra.append(tallies(match));
    if (pad) this.extra.append(drawPad(match, this.onCell));
    if (had) refocus(this.extra.querySelector(`[data-key="${had}"]`));
  }

  /** secret shows a card that lies face down instead of a score. */
  secret(total, parts) {
    if (!total.firstElementChild) {
      total.replaceChildren(s('svg', { viewBox: '0 0 20 28', 'aria-hidden': 'true' },
        s('rect', { x: 1, y: 1, width: 18, height: 26, rx: 3.5 }), s('path', { d: 'm10 7 4.5 7-4.5 7-4.5-7z' })));
    }
    setText(parts, t('card.secret'));
  }
}
