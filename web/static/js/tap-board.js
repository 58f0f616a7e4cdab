// Dessert Dice and Dice Box, tapped: a die, then a square; or a die on the board, then where it goes.
import { h } from './dom.js';
import { t } from './i18n.js';
import { chooseOne } from './chooser.js';
import { at, dieButton, doing, grid, icon, kinds, nameOf, tray } from './grid.js';
import { dieName, drawDie } from './dice.js';
import { token } from './players.js';
import { luck } from './table.js';

const letters = { red: 'R', yellow: 'Y', green: 'G', purple: 'P', black: 'K', blue: 'B', white: 'W' };
const colorOf = Object.fromEntries(Object.entries(letters).map(([color, letter]) => [letter, color]));
const read = (word) => ({ color: colorOf[word[0]], face: Number(word[1]) });
const write = (die) => `${letters[die.color]}${die.face}`;
const faces = [1, 2, 3, 4, 5, 6];

/** Marks collects class names by square. */
class Marks {
  add(i, name) { (this[i] ??= []).push(name); }
}

/** boardOf is what lies where, with the last act and what is chosen marked. */
function boardOf(table, list) {
  const dice = {}, marks = new Marks(), { pick, last } = table;
  for (const die of list) dice[at(die.square)] = die;
  if (last?.move?.to) marks.add(at(last.move.to), last.legal === false ? 'bad' : 'last');
  if (!pick.die) for (let i = 0; i < 25; i++) if (table.pointed.has(nameOf(i))) marks.add(i, 'advised');
  for (const i of [pick.from, pick.to]) if (i !== undefined) marks.add(i, 'chosen');
  return { dice, marks };
}

const place = (table, die, to) => table.act(`${table.me} place ${write(die)} ${nameOf(to)}`);

/** choose takes a die up, puts it down again, or places it where a square was tapped first. */
function choose(table, die) {
  const { pick } = table;
  if (pick.to !== undefined) place(table, die, pick.to);
  else table.set(pick.die && write(pick.die) === write(die) ? {} : { die });
}

/** hand is the tray of dice: those that lie there, or, where nobody told, every one there may be. */
function hand(table, known, colors) {
  const { pick } = table;
  const wanted = (die) => table.wanted.some(({ color, face }) => (!color || color === die.color) && (!face || !die.face || face === die.face));
  const button = (die, count) => dieButton({ ...die, count, wanted: wanted(die), pressed: pick.die && write(pick.die) === write(die), onTap: table.able ? () => choose(table, die) : null });
  if (known) return tray(t('table.dice'), kinds(known.map(read)).map((die) => button(die, die.count)));
  const color = pick.die?.color ?? pick.color;
  return h('div', { class: 'trays' },
    tray(t('table.colors'), Object.entries(colors).filter(([, n]) => n !== 0).map(([name, n]) => dieButton({
      color: name, face: 0, count: n ?? 1, wanted: wanted({ color: name }), key: `color-${name}`, pressed: name === color, onTap: table.able ? () => table.set({ ...pick, die: undefined, color: name }) : null,
    }))),
    tray(t('table.faces'), faces.map((face) => (color ? button({ color, face }) : dieButton({ color: 'plain', face, label: String(face), faint: true })))));
}

export const draw = (table) => (table.match.game === 'dice-box' ? box(table) : desserts(table));

function desserts(table) {
  const { state, pick, able } = table;
  const { dice, marks } = boardOf(table, state.board);
  const tips = Object.fromEntries(state.board.map((die) => [at(die.square), die.tips ?? {}]));
  for (let i = 0; i < 25; i++) {
    if (dice[i]) {
      if (table.hints && pick.from === undefined && Object.keys(tips[i]).length) marks.add(i, 'may');
    } else if (pick.die || tips[pick.from]?.[nameOf(i)]) marks.add(i, 'lit');
  }
  const tap = (i, die) => {
    if (pick.die) place(table, pick.die, i);
    else if (die) table.set(pick.from === i ? {} : { from: i });
    else if (pick.from !== undefined) tip(table, dice[pick.from], pick.from, i, tips[pick.from][nameOf(i)] ?? []);
    else table.set(pick.to === i ? {} : { to: i });
  };
  const over = table.match.to_move === -2;
  const fresh = !state.supply && state.board.length === 0;
  return {
    todo: over ? '' : promptDessert(table, tips, fresh),
    body: [
      grid({ dice, marks, onTap: able && !over ? tap : null }),
      h('div', { class: 'side' },
        over ? null : hand(table, state.supply, state.left ?? {})),
    ],
    does: able && fresh && !over ? doing('roll', t('do.roll-all'), () => table.roll(), { main: !pick.die && !pick.color }) : null,
  };
}

/** promptDessert says what is to be tapped next in Dessert Dice. */
function promptDessert({ state, pick }, tips, fresh) {
  if (pick.die) return 'todo.square';
  if (pick.color) return 'todo.face';
  if (pick.from !== undefined) return Object.keys(tips[pick.from] ?? {}).length ? 'todo.tip' : 'todo.no-tip';
  if (pick.to !== undefined) return ['todo.die-for', { square: nameOf(pick.to) }];
  if (fresh) return 'todo.start';
  return Object.values(tips).some((to) => Object.keys(to).length) ? 'todo.place-or-tip' : state.supply ? 'todo.die' : 'todo.color';
}

/** tip brings a die to a neighboring square; which side comes up is asked where it is not known. */
async function tip(table, die, from, to, tops) {
  const way = `${table.me} move ${nameOf(from)} ${nameOf(to)}`;
  const turn = async (allowed) => {
    let top = allowed[0];
    if (allowed.length !== 1) top = await topOf(die.color, allowed);
    return top && `${way} ${write({ color: die.color, face: top })}`;
  };
  if (tops.length) {
    const move = await turn(tops);
    if (move) table.act(move);
    return;
  }
  const ruling = await table.check(way);
  if (!ruling) return;
  // Which side came up is asked only of those who keep it.
  table.explain({ ...ruling, keepable: true }, async () => {
    const move = await turn(faces);
    if (move) table.act(move, true);
  });
}

async function topOf(color, tops) {
  const top = await chooseOne(t('table.top'), [
    tops.map((face) => ({ node: drawDie(color, face), label: dieName(color, face), value: face })),
    [{ node: h('span', {}, icon('roll'), t('do.roll')), label: t('do.roll'), value: 'roll' }],
  ]);
  return top === 'roll' ? tops[luck(tops.length)] : top;
}

function box(table) {
  const { state, pick, able, match } = table;
  const { dice, marks } = boardOf(table, state.grid);
  const under = {};
  for (const square of state.dead) marks.add(at(square), 'dead');
  for (let i = 0; i < 25; i++) {
    const fits = state.candidates[nameOf(i)] ?? [];
    if (pick.die ? fits.includes(pick.die.face) : table.hints && fits.length) marks.add(i, 'lit');
    if (table.hints && fits.length) under[i] = h('span', { class: 'fits', 'data-fits': fits.join(' '), 'aria-hidden': 'true' });
  }
  const tap = (i) => {
    if (pick.die) place(table, pick.die, i);
    else table.set(pick.to === i ? {} : { to: i });
  };
  const { todo, side, does } = boxSide(table);
  return { todo, does, body: [grid({ dice, marks, under, onTap: able && match.to_move >= 0 ? tap : null }), h('div', { class: 'side' }, side)] };
}

/** boxSide is what can be done beside the grid: the draft, the Seed, the dice of the player whose turn it is. */
function boxSide(table) {
  const { state, match, able } = table;
  const started = state.grid.length > 0;
  const seat = match.to_move;
  if (seat === -2) return { todo: '', side: others(table, -1) };
  if (!started) {
    const drafts = state.draft?.length > 0, side = [], seeds = seat === -1 && able;
    if (drafts) side.push(draft(table));
    if (seeds) side.push(tray(t('table.seed'), faces.map((face) => dieButton({ color: 'black', face, act: `seed ${face}`, onTap: () => table.act(`seed ${face}`) }))));
    return { todo: seat >= 0 ? 'todo.draft' : drafts ? 'todo.draft-or-roll' : 'todo.seed', side, does: seeds ? doing('roll', t('do.roll-all'), () => table.roll(), { main: true }) : null };
  }
  if (seat === -1) return { todo: ['todo.tap', { act: t('do.roll') }], side: others(table, -1), does: able ? doing('roll', t('do.roll'), () => table.roll(), { main: true }) : null };
  const own = state.hands[seat];
  const colors = own.colors ?? { red: null, yellow: null, blue: null, white: null };
  const again = `${table.me} reroll`;
  const reroll = () => (own.dice ? table.roll() : table.act(again)); // dice that are known are rolled by the program
  return {
    todo: promptBox(table, own),
    side: [hand(table, own.dice, colors), others(table, seat)],
    does: able && state.must !== 'place' ? doing('roll', t('do.reroll'), reroll, { act: again, main: state.must === 'reroll' }) : null,
  };
}

/** promptBox says what the player whose turn it is is to tap next in Dice Box. */
function promptBox({ state, pick }, own) {
  if (state.must === 'reroll') return 'todo.reroll';
  if (pick.die) return Object.values(state.candidates).some((fits) => fits.includes(pick.die.face)) ? 'todo.square' : 'todo.no-fit';
  if (pick.color) return 'todo.face';
  if (pick.to !== undefined) return ['todo.die-for', { square: nameOf(pick.to) }];
  return own.dice ? 'todo.die' : 'todo.color-or-roll';
}

/** draft is the choice of two more dice each, where four play. */
function draft(table) {
  const seat = Math.max(table.match.to_move, 0);
  return tray(t('table.draft'), token(seat), table.state.draft.map((color) => dieButton({
    color, face: 0, key: `draft-${color}`, act: `${table.letter(seat)} draft ${letters[color]}`, onTap: table.able ? () => table.act(`${table.letter(seat)} draft ${letters[color]}`) : null,
  })));
}

/** others are the hands of those who are not on turn, where they are known. */
function others(table, seat) {
  const { hands } = table.state;
  if (!hands.some((own, p) => p !== seat && own.dice?.length)) return null;
  return h('div', { class: 'others' }, hands.map((own, p) => (p === seat || !own.dice ? null : h('div', { class: `hand seat${p % 5}`, 'aria-label': table.match.players[p], role: 'group' },
    token(p), own.dice.map(read).map((die) => dieButton(die))))));
}
