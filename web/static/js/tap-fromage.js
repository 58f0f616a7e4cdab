// Fromage á Trois: everybody's dice, the Cart and the shop; dice are chosen, then what is done with them.
import { h } from './dom.js';
import { t } from './i18n.js';
import { chooseOne } from './chooser.js';
import { dieButton, doing, tray } from './grid.js';
import { drawDie } from './dice.js';
import { token } from './players.js';

const digits = (list) => (list.length ? [...list].sort().join('') : '-');

export const asks = (table) => table.state.rolled;

export function draw(table) {
  const { state, match } = table;
  const owed = state.owed[0];
  const todo = match.to_move === -2 ? '' : owed ? 'todo.owed' : !state.rolled ? 'todo.roll' : table.acts.some(({ act }) => act.includes(' keep ')) ? 'todo.keep' : 'todo.end';
  return {
    todo,
    body: [
      h('div', { class: 'hands' }, match.players.map((name, seat) => handOf(table, name, seat))),
      h('div', { class: 'side' }, cart(table), table.able && match.to_move >= 0 ? actions(table, owed) : null, fromages(table)),
    ],
  };
}

const chosen = (table, where) => table.pick[where] ?? [];

/** toggle chooses a die of a hand or of the Cart, or lets it go. */
function toggle(table, where, i) {
  const list = chosen(table, where);
  table.set({ ...table.pick, [where]: list.includes(i) ? list.filter((k) => k !== i) : [...list, i] });
}

/** dice are those of a hand or of the Cart, to be chosen. */
function dice(table, where, list) {
  return list.map((face, i) => dieButton({
    face, key: `${where}-${i}`, pressed: table.able ? chosen(table, where).includes(i) : undefined,
    onTap: table.able && table.match.to_move >= 0 ? () => toggle(table, where, i) : null,
  }));
}

const facesOf = (table, where, list) => chosen(table, where).map((i) => list[i]);

function handOf(table, name, seat) {
  const { state } = table;
  const score = state.scores[seat];
  return h('div', { class: `hand seat${seat % 5}${state.turn === seat && !state.over ? ' active' : ''}`, role: 'group', 'aria-label': t('fromage.hand', { player: name }) },
    token(seat), h('b', { class: 'name', dir: 'auto' }, name), h('div', { class: 'dice' }, dice(table, `hand${seat}`, state.hands[seat])), h('output', { class: 'points', 'aria-label': t('fromage.points', { score }) }, String(score)));
}

/** cart holds what was rolled; before, the dice that are rolled are tapped here or the program rolls them. */
function cart(table) {
  const { state, able, pick, match } = table;
  const shop = h('span', { class: 'shop', role: 'img', 'aria-label': t('fromage.shop', { count: state.shop }) }, drawDie(null, 0), h('b', {}, String(state.shop)));
  if (state.rolled || !able || match.to_move < 0) return h('div', { class: 'cart' }, shop, tray(t('fromage.cart'), dice(table, 'cart', state.cart)));
  const rolled = pick.rolled ?? [];
  const ready = rolled.length > 0;
  return h('div', { class: 'cart' }, shop,
    tray(t('fromage.cart'), rolled.map((face, i) => dieButton({ face, key: `rolled-${i}`, onTap: () => table.set({ rolled: rolled.filter((_, k) => k !== i) }) })),
      ready ? doing('ok', t('do.rolled'), () => table.act(`${table.me} roll ${digits(rolled)}`), { main: true }) : null),
    tray(t('table.faces'), [1, 2, 3, 4, 5, 6].map((face) => dieButton({ face, key: `face-${face}`, onTap: () => table.set({ rolled: [...rolled, face] }) }))),
    ready || !table.bare ? null : tray(t('do.roll'), [1, 2, 3, 4, 5].map((n) => doing('roll', String(n), () => table.roll(n), { key: `roll-${n}` }))));
}

/** actions are what can be done with the dice that are chosen. */
function actions(table, owed) {
  const { state } = table;
  if (!state.rolled) return null;
  const mine = facesOf(table, 'cart', state.cart);
  if (owed) {
    const who = table.letter(owed.player);
    return tray(t('table.doing'), token(owed.player),
      doing('take', t('fromage.take', { count: owed.dice }), () => table.act(`${who} compensate ${digits(mine)}`), { main: mine.length > 0 }),
      doing('star', t('fromage.points', { score: owed.points }), () => table.act(`${who} compensate ${owed.points} points`), { key: 'do-points' }),
      doing('no', t('fromage.nothing'), () => decline(table, `${who} compensate 0 points`)));
  }
  const seat = table.match.to_move;
  const from = state.hands.map((list, p) => [p, facesOf(table, `hand${p}`, list)]).filter(([p, list]) => p !== seat && list.length);
  const own = facesOf(table, `hand${seat}`, state.hands[seat]);
  const parts = [];
  if (mine.length) parts.push(doing('take', t('fromage.keep'), () => table.act(`${table.me} keep ${digits(mine)}`), { main: true }));
  if (from.length === 1 && !own.length) parts.push(doing('take', t('fromage.steal'), () => table.act(`${table.me} steal ${table.letter(from[0][0])} ${digits(from[0][1])}`), { main: true }));
  if (from.length && own.length) {
    const takes = from.flatMap(([p, list]) => list.map((face) => `${table.letter(p)}${face}`)).slice(0, 4);
    parts.push(doing('star', t('fromage.declare'), () => table.act(`${table.me} fromage ${takes.join(' ')} ${digits([...own, ...from.flatMap(([, list]) => list)])}`), { main: true }));
  }
  parts.push(doing('next', t('fromage.end'), () => table.act(`${table.me} end`), { main: parts.length === 0 }));
  return tray(t('table.doing'), parts);
}

/** decline asks once more: whoever lost dice has a right to something for them. */
async function decline(table, act) {
  if (await chooseOne(t('fromage.sure'), [[{ label: t('fromage.nothing'), value: true }]])) table.act(act);
}

/** fromages are those that may be declared now: from whom a die is taken, and the set. */
function fromages(table) {
  const { state, able } = table;
  if (!state.fromages.length) return null;
  return h('div', { class: 'fromages', role: 'group', 'aria-label': t('fromage.possible') }, state.fromages.slice(0, 8).map((move) => {
    const look = [move.takes.map(([who, face]) => [token('ABCDEFGH'.indexOf(who)), drawDie(null, face)]), h('i', { 'aria-hidden': 'true' }, '→'), move.set.map((face) => drawDie(null, face))];
    const label = t('fromage.of', { takes: move.takes.map(([who, face]) => `${table.match.players['ABCDEFGH'.indexOf(who)]} ${face}`).join(', '), set: move.set.join(' ') });
    if (!able) return h('span', { class: 'one', role: 'img', 'aria-label': label }, look);
    const act = `${table.me} fromage ${move.takes.map(([who, face]) => who + face).join(' ')} ${digits(move.set)}`;
    return h('button', { type: 'button', class: 'one', 'aria-label': label, 'data-key': `fromage-${act}`, onclick: () => table.act(act) }, look);
  }));
}
