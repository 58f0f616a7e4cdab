// DICE Flick, tapped: where a flicked die came to rest, what was taken off for points.
import { h, s } from './dom.js';
import { t } from './i18n.js';
import { chooseOne } from './chooser.js';
import { at, doing, grid, icon, nameOf } from './grid.js';
import { colorsOf, dieName, drawDie } from './dice.js';

const letters = { blue: 'B', yellow: 'Y', green: 'G', white: 'W', pink: 'P' };
const colorOf = Object.fromEntries(Object.entries(letters).map(([color, letter]) => [letter, color]));
const write = (die) => (die ? `${letters[die.color]}${die.color === 'pink' ? '*' : die.face}` : '..');
const stickers = ['center', 'bonus', 'blue', 'yellow', 'green'];

/** arena reads the rows that the server tells: dice by index. */
function arena(rows) {
  const dice = {};
  rows.flatMap((row) => row.split(' ')).forEach((word, i) => {
    if (word !== '..') dice[i] = { color: colorOf[word[0]], face: word[1] === '*' ? 0 : Number(word[1]) };
  });
  return dice;
}

/** sticker is what is printed in a hole. */
const sticker = (name) => s('svg', { viewBox: '0 0 40 40', class: `sticker ${name}`, role: 'img', 'aria-label': t(`sticker.${name}`) },
  name === 'center' ? [s('circle', { cx: 20, cy: 20, r: 14 }), s('circle', { cx: 20, cy: 20, r: 6 })]
    : name === 'bonus' ? s('path', { d: 'M20 7v26M7 20h26' })
      : s('path', { d: 'M20 6 34 20 20 34 6 20z' }));

/** folds: on a phone the notepad alone is enough, until the arena is asked for. */
export const folds = ({ state }) => state.flicks_must === 2 && !state.arena.some((row) => /[A-Z]/.test(row));

/** scoring is what is done once all flicks are made: the dice that score are tapped. It begins with the best ones. */
function takingOf({ state, pick, match }) {
  if (pick.taking || match.to_move === -2) return pick.taking;
  return state.flicks_must === 0 && state.flicks_may === 0 && !pick.fixing && pick.moving === undefined ? (state.best?.removed ?? []).map(at) : undefined;
}

/** prompt says what is to be tapped next. */
function prompt({ state, pick }, taking) {
  if (taking && pick.taking && pick.judged && !pick.judged.legal) return 'todo.no-sum';
  if (taking) return taking.length || state.best?.score ? 'todo.taking' : ['todo.tap', { act: t('flick.no-score') }];
  if (pick.moving !== undefined) return 'todo.moving';
  if (pick.fixing) return 'todo.fixing';
  return state.flicks_must > 1 ? 'todo.flick' : state.flicks_must > 0 ? 'todo.flick-one' : 'todo.flick-bonus';
}

export function draw(table) {
  const { state, pick, able, match } = table;
  const dice = arena(state.arena), marks = {}, under = {};
  const add = (i, name) => { (marks[i] ??= []).push(name); };
  for (const { row, col, marker } of state.markers) under[row * 5 + col] = sticker(marker);
  const over = match.to_move === -2, taken = able ? takingOf(table) : undefined;
  for (let i = 0; i < 25; i++) if (table.pointed.has(nameOf(i))) add(i, 'advised');
  for (const square of state.best?.removed ?? []) if (!taken) add(at(square), 'best');
  if (taken) for (const i of taken) add(i, 'taken');
  if (pick.moving !== undefined) add(pick.moving, 'chosen');
  const tap = (i, die) => {
    if (taken && die) count(table, taken.includes(i) ? taken.filter((k) => k !== i) : [...taken, i]);
    else if (pick.moving !== undefined && !die) put(table, dice, { [pick.moving]: null, [i]: dice[pick.moving] });
    else if (die) mend(table, dice, i);
    else flicked(table, dice, i);
  };
  const { beside, does } = over ? {} : side(table, taken);
  return {
    todo: over ? '' : prompt(table, taken),
    does,
    body: [grid({ dice, marks, under, onTap: able && !over ? tap : null }), h('div', { class: 'side' }, beside)],
  };
}

/** side: how many flicks are left or what the dice are worth, beside the arena; a miss and the scoring, to be done. */
function side(table, taken) {
  const { state, pick, able, me } = table;
  const left = h('div', { class: 'left', role: 'img', 'aria-label': t('flick.left', { count: state.flicks_may }) },
    Array.from({ length: Math.max(state.flicks_may, 2) }, (_, i) => h('span', { class: i < state.flicks_may ? 'dot' : 'dot gone' })));
  if (!able) return { beside: [left, state.best?.score ? h('p', { class: 'best' }, t('flick.best', { score: state.best.score })) : null] };
  const fix = state.arena.some((row) => /[A-Z]/.test(row)) ? doing('back', t('flick.fix'), () => table.set({ fixing: true }), { key: 'do-fix' }) : null;
  const back = doing('no', t('do.cancel'), () => table.set({}), { key: 'do-cancel' });
  if (taken) {
    const best = !pick.taking, sum = best ? state.best?.score ?? 0 : pick.judged?.legal ? pick.judged.event.score : null; // what was not changed is the best
    const act = `${me} score ? took=${took(taken)}`;
    return { beside: h('output', { class: 'sum' }, sum === null ? '–' : String(sum)), does: [
      doing('ok', t(taken.length || sum === null ? 'do.write-down' : 'flick.no-score'), () => table.act(act), { act, key: 'do-write', main: sum !== null }),
      state.flicks_may > 0 || !best ? back : null, state.flicks_may > 0 ? null : fix] };
  }
  if (pick.fixing || pick.moving !== undefined) return { does: back };
  const miss = `${me} miss ?`;
  return { beside: left, does: [
    doing('off', t('say.miss'), () => table.act(miss), { act: miss }),
    state.flicks_must > 0 ? null : doing('star', state.best?.score ? t('flick.score', { score: state.best.score }) : t('flick.no-score'), () => count(table, (state.best?.removed ?? []).map(at)), { key: 'do-score' })] };
}

const took = (list) => (list.length ? list.map(nameOf).join(',') : 'none');

/** count shows what the dice that are taken off are worth. */
async function count(table, taking) {
  table.set({ taking, judged: null });
  const judged = await table.check(`${table.me} score ? took=${took(taking)}`);
  if (table.pick.taking !== taking) return;
  table.pick = { taking, judged }; // nothing was chosen: what is explained meanwhile stays
  table.redraw();
}

/** The dice in the box, by color. */
const box = { blue: 5, yellow: 5, green: 5, white: 3, pink: 2 };

/** outside are the colors of which a die is not in the arena. */
const outside = (dice) => colorsOf['dice-flick'].filter((color) => Object.values(dice).filter((die) => die.color === color).length < box[color]);

const rows = (colors, now) => colors.map((color) => (color === 'pink' ? [0] : [1, 2, 3, 4, 5, 6]).map((face) => ({
  node: drawDie(color, face), label: dieName(color, face), value: { die: { color, face } }, now: now?.color === color && now?.face === face,
})));

/** flicked asks which die came to rest in a hole, or which sticker it has. */
async function flicked(table, dice, i) {
  const choices = stickers.map((marker) => ({ node: sticker(marker), label: t(`sticker.${marker}`), value: { marker } }));
  const answer = await chooseOne(t('correct.title', { where: nameOf(i) }), [...rows(outside(dice)), choices], t('flick.which'));
  if (answer?.die) table.act(`${table.me} flick ${write(answer.die)} ${nameOf(i)}`);
  if (!answer?.marker) return;
  const known = new Map(table.state.markers.filter(({ row, col }) => row * 5 + col !== i).map(({ row, col, marker }) => [marker, row * 5 + col]));
  known.set(answer.marker, i);
  table.lay(`markers ${[...known].map(([marker, hole]) => `${marker}=${nameOf(hole)}`).join(' ')}`);
}

/** mend puts a die of the arena right: another face, moved, or gone. */
async function mend(table, dice, i) {
  const more = [
    { node: h('span', {}, icon('next'), t('flick.moved')), label: t('flick.moved'), value: 'moved' },
    { node: h('span', {}, icon('off'), t('flick.gone')), label: t('flick.gone'), value: 'gone' },
  ];
  const answer = await chooseOne(t('correct.title', { where: nameOf(i) }), [more, ...rows([...new Set([dice[i].color, ...outside(dice)])], dice[i])]);
  if (answer === 'moved') table.set({ moving: i });
  else if (answer === 'gone') put(table, dice, { [i]: null });
  else if (answer) put(table, dice, { [i]: answer.die });
}

/** put tells the arena anew, with some holes changed. */
function put(table, dice, change) {
  const now = { ...dice, ...change };
  const lines = Array.from({ length: 5 }, (_, row) => Array.from({ length: 5 }, (_, col) => write(now[row * 5 + col])).join(' '));
  table.lay(`arena ${lines.join(' / ')}`);
}
