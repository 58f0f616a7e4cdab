// The score board: a row a player, in seat order, always in the same place.
import { h, s, setText } from './dom.js';
import { has, t } from './i18n.js';
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

/** clusters are those of the four desserts: the cards are secret, the board is not. */
const clusters = (points) => h('div', { class: 'tiles', role: 'group', 'aria-label': t('clusters.label') },
  Object.keys(desserts).map((letter) => h('div', {},
    s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: desserts[letter] })),
    h('b', {}, String(points[letter] ?? 0)), t(`dessert.${letter}`))));

/** notepad is that of DICE Flick: a line a player, a column a round. */
function notepad(players, { notepad: rounds, round }) {
  const numbers = Array.from({ length: 10 }, (_, i) => i);
  const cell = (seat, i) => h('td', { class: i + 1 === round ? 'now' : null }, rounds[i]?.[seat] === null || rounds[i]?.[seat] === undefined ? '' : String(rounds[i][seat]));
  return h('table', { class: 'pad', 'aria-label': t('pad.label') },
    h('thead', {}, h('tr', {}, h('td'), numbers.map((i) => h('th', { scope: 'col', class: i + 1 === round ? 'now' : null }, String(i + 1))))),
    h('tbody', {}, players.map((name, seat) => h('tr', {}, h('th', { scope: 'row', 'aria-label': name }, token(seat)), numbers.map((i) => cell(seat, i))))));
}

/** Scores shows the players of a match, whose turn it is, and what they have. */
export class Scores {
  constructor(list, extra) {
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
        token(seat), h('span', { class: 'name' }, h('b', {}, name), turn), parts, total);
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
    const what = game === 'dessert-dice' ? state?.clusters : game === 'dice-flick' ? [state?.notepad, state?.totals, state?.round] : null;
    const shown = JSON.stringify([game, what ?? null]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.extra.replaceChildren();
    if (game === 'dessert-dice' && what) this.extra.append(clusters(what));
    if (game === 'dice-flick' && state?.notepad) this.extra.append(notepad(match.players, state));
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
