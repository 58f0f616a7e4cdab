// Fromage á Trois: everybody's dice, the Cart and the shop; dice are chosen, then what is done with them.
import { h } from './dom.js';
import { t } from './i18n.js';
import { chooseOne } from './chooser.js';
import { dieButton, doing, tray } from './grid.js';
import { drawDie } from './dice.js';
import { token } from './players.js';

const digits = (list) => (list.length ? [...list].sort().join('') : '-');

/** owedTo is the answer that is awaited, if one is. */
const owedTo = ({ state, match }) => state.owed.find(({ player }) => player === match.to_move) ?? state.owed[0];

export function draw(table) {
  const { match } = table;
  const owed = owedTo(table);
  return {
    todo: match.to_move === -2 ? '' : prompt(table, owed),
    does: table.able && match.to_move >= 0 ? actions(table, owed) : null,
    body: [
      h('div', { class: 'side' }, cart(table), fromages(table)),
      h('div', { class: 'hands' }, match.players.map((name, seat) => handOf(table, name, seat))),
    ],
  };
}

/** prompt says what is to be tapped next, as far as dice are chosen already. */
function prompt(table, owed) {
  const { state, pick } = table;
  if (!state.rolled && pick.rolled?.length >= most(state)) return ['todo.tap', { act: t('do.rolled') }];
  if (!state.rolled) return !table.bare ? 'todo.roll' : pick.rolled?.length ? 'todo.rolled' : 'todo.roll-or-tap';
  const what = choice(table);
  if (owed) {
    const values = { count: owed.dice, player: table.match.players[owed.player], points: owed.points };
    if (what.mine.length && what.mine.length !== owed.dice) return counted(owed.dice - what.mine.length);
    return what.mine.length ? ['todo.tap', { act: t('fromage.take', { count: owed.dice }) }] : [owed.dice > state.cart.length ? 'todo.owed.points' : 'todo.owed', values];
  }
  if (what.act) return ['todo.tap', { act: what.label }];
  if (what.own.length) return 'todo.fromage';
  if (what.from.length) return 'todo.set';
  if (what.mine.length && state.keep) return counted(state.keep - what.mine.length);
  if (state.keep) return [state.steals.length ? 'todo.keep-or-take' : 'todo.keep', { count: state.keep }];
  return state.fromages.length ? 'todo.end-or-fromage' : 'todo.end';
}

/** counted says how many dice more, or less, are to be tapped. */
const counted = (missing) => [missing > 0 ? 'todo.more-dice' : 'todo.fewer-dice', { count: Math.abs(missing) }];

/** most is how many dice may be rolled at once. */
const most = ({ shop }) => Math.min(5, shop);

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
  const ready = rolled.length > 0, full = rolled.length >= most(state);
  return h('div', { class: 'cart' }, shop,
    tray(t('fromage.cart'), rolled.map((face, i) => dieButton({ face, key: `rolled-${i}`, onTap: () => table.set({ rolled: rolled.filter((_, k) => k !== i) }) })),
      ready ? doing('ok', t('do.rolled'), () => table.act(`${table.me} roll ${digits(rolled)}`), { act: `${table.me} roll ${digits(rolled)}`, main: true }) : null),
    tray(t('table.faces'), [1, 2, 3, 4, 5, 6].map((face) => dieButton({ face, key: `face-${face}`, off: full, onTap: () => table.set({ rolled: [...rolled, face] }) }))),
    ready || !table.bare ? null : tray(t('do.roll'), [1, 2, 3, 4, 5].map((n) => doing('roll', String(n), () => table.roll(n), { key: `roll-${n}` }))));
}

/** choice is what the dice that are chosen make: those of the Cart, of oneself and of others, and the act if it is one that is allowed. */
function choice(table) {
  const { state, match, me } = table, seat = match.to_move;
  const mine = facesOf(table, 'cart', state.cart), own = facesOf(table, `hand${seat}`, state.hands[seat] ?? []);
  const from = state.hands.map((list, p) => [table.letter(p), facesOf(table, `hand${p}`, list), p]).filter(([, list, p]) => p !== seat && list.length);
  const result = { mine, own, from };
  const [who, set] = from[0] ?? [];
  if (mine.length && !own.length && !from.length && mine.length === state.keep) Object.assign(result, { act: `${me} keep ${digits(mine)}`, label: t('fromage.keep') });
  else if (from.length === 1 && !own.length && !mine.length && state.steals.some((move) => move.from === who && digits(move.dice) === digits(set))) Object.assign(result, { act: `${me} steal ${who} ${digits(set)}`, label: t('fromage.steal') });
  else if (from.length && own.length) {
    const takes = from.flatMap(([p, list]) => list.map((face) => p + face)).slice(0, 4), all = digits([...own, ...from.flatMap(([, list]) => list)]);
    result.fromage = `${me} fromage ${takes.join(' ')} ${all}`;
    if (state.fromages.some((move) => digits(move.set) === all && move.takes.map(([p, face]) => p + face).sort().join() === [...takes].sort().join())) Object.assign(result, { act: result.fromage, label: t('fromage.declare') });
  }
  return result;
}

/** actions are what can be done with the dice that are chosen; what the rules allow is the button that stands out. */
function actions(table, owed) {
  const { state, me } = table;
  if (!state.rolled) return null;
  const what = choice(table), { mine, own, from } = what;
  const button = (sign, text, act, more) => doing(sign, text, () => table.act(act), { act, main: act === what.act, ...more });
  if (owed) {
    const who = table.letter(owed.player);
    return [token(owed.player),
      owed.dice > state.cart.length ? null : button('take', t('fromage.take', { count: owed.dice }), `${who} compensate ${digits(mine)}`, { main: mine.length === owed.dice }),
      button('star', t('fromage.points', { score: owed.points }), `${who} compensate ${owed.points} points`, { key: 'do-points' }),
      doing('no', t('fromage.nothing'), () => decline(table, `${who} compensate 0 points`), { act: `${who} compensate 0 points` })];
  }
  const parts = [];
  if (mine.length) parts.push(button('take', t('fromage.keep'), `${me} keep ${digits(mine)}`));
  if (from.length === 1 && !own.length) parts.push(button('take', t('fromage.steal'), `${me} steal ${from[0][0]} ${digits(from[0][1])}`));
  if (what.fromage) parts.push(button('star', t('fromage.declare'), what.fromage));
  if (state.may_end) parts.push(button('next', t('fromage.end'), `${me} end`, { main: parts.length === 0 }));
  return parts;
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
    return h('button', { type: 'button', class: 'one', 'aria-label': label, 'data-key': `fromage-${act}`, 'data-act': act, onclick: () => table.act(act) }, look);
  }));
}
