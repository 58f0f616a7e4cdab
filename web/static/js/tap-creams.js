// DiceCreams!: Customers, Fridge, cards and what melts; a die, then the spot it goes to.
import { h, s } from './dom.js';
import { t } from './i18n.js';
import { chooseOne } from './chooser.js';
import { dieButton, doing, icon, kinds, tray } from './grid.js';
import { colorsOf, dieName, drawDie } from './dice.js';
import { token } from './players.js';

const read = (word) => ({ color: word.slice(0, -1), face: Number(word.at(-1)) });
const write = (die) => die.color + die.face;
const flavours = colorsOf.dicecreams;

/** What bonuses and Customers want, as small drawings. */
const glyphs = {
  sprinkle: 'M12 3v18M4.2 7.5l15.6 9M4.2 16.5l15.6-9',
  draw: 'M5 5h14v14H5zM12 8v8M8 12h8',
  second_token: 'M9 12a4 4 0 1 1 0-.1zM21 12a4 4 0 1 1 0-.1z',
  orange_sprinkles: 'M12 3v18M4.2 7.5l15.6 9M4.2 16.5l15.6-9M12 1.5a10.5 10.5 0 1 0 .1 0z',
};
const glyph = (bonus) => (bonus ? s('svg', { viewBox: '0 0 24 24', class: `glyph ${bonus}`, role: 'img', 'aria-label': t(`bonus.${bonus}`) }, s('path', { d: glyphs[bonus] })) : null);

export const asks = () => true;

/** may says whether an act that begins so is legal now. */
const may = (table, start) => table.acts.filter(({ act }) => act === start || act.startsWith(`${start} `));

/** inHand is the die that looks for a spot: chosen on the Fridge, or drawn. */
const inHand = ({ state, pick }) => (state.drawn ? read(state.drawn) : pick.die);

export function draw(table) {
  const { match, state } = table;
  const { does, beside } = table.able && match.to_move !== -2 ? actions(table) : {};
  return {
    does,
    todo: match.to_move === -2 ? '' : prompt(table),
    body: [
      h('div', { class: 'middle' }, h('div', { class: 'customers', role: 'group', 'aria-label': t('line.customers') }, state.customers.map((each) => customer(table, each))), fridge(table), display(table)),
      h('div', { class: 'side' }, beside, melting(table)),
      h('div', { class: 'carts' }, match.players.map((name, p) => cartOf(table, name, p))),
    ],
  };
}

/** placing is how the die in hand is put on a spot, in the game's notation. */
const placing = (table) => (table.state.drawn ? 'set' : `take ${inHand(table) ? write(inHand(table)) : ''}`);

/** fits says whether the die in hand may go to a spot: "mint-1.0". */
const fits = (table, at) => may(table, `${table.me} ${placing(table)} ${at}`).length > 0;

/** somewhere says whether the die in hand may go to any spot. */
const somewhere = (table) => may(table, `${table.me} ${placing(table)}`).some(({ act }) => /\.[0-2]( |$)/.test(act));

/** duty is the one act that is due now and needs no choice; null: there is a choice. */
const duty = (table) => ['gain', 'away', 'done', 'melt', 'clean'].map((verb) => table.acts.find(({ act }) => act.split(' ')[0] === table.me && act.split(' ')[1] === verb)).find(Boolean) ?? null;

/** prompt says what is to be tapped next. */
function prompt(table) {
  const { state, match, acts } = table;
  if (match.to_move === -1) {
    if (acts.some(({ act }) => act.startsWith('nature reveal '))) return 'todo.reveal';
    return state.phase === 'draw' ? ['todo.draw', { count: match.players.length + 3 }] : 'todo.draw-one';
  }
  if (state.drawn) return !acts.length || somewhere(table) ? 'todo.drawn' : ['todo.tap', { act: t('creams.aside') }];
  const due = duty(table);
  if (due) return ['todo.tap', { act: labelOf(due.act) }];
  if (may(table, `${table.me} serve`).length) return 'todo.serve';
  if (may(table, `${table.me} second`).length) return 'todo.second';
  if (!inHand(table)) return { draft: 'todo.fridge', melt: 'todo.melt', clean: 'todo.clean' }[state.phase] ?? 'todo.go-on';
  return somewhere(table) ? 'todo.spot' : 'todo.no-spot';
}

function customer(table, { id, requirement, fame, tokens }) {
  const look = [h('b', {}, id), h('span', { class: 'wants' }, t(`wants.${requirement}`)), h('span', { class: 'fame' }, fame.join(' · ')), h('span', { class: 'tokens' }, (tokens ?? []).map((p) => token(p)))];
  const act = table.able && ['serve', 'second'].map((verb) => `${table.me} ${verb} ${id}`).find((each) => may(table, each).length);
  const advised = table.pointed.has(id) ? ' advised' : '';
  if (!act) return h('div', { class: `customer${advised}` }, look);
  return h('button', { type: 'button', class: `customer lit${advised}`, 'data-key': `customer-${id}`, onclick: () => table.act(act) }, look);
}

function fridge(table) {
  const { state, pick, able, match } = table;
  const free = able && state.phase === 'draft' && !state.drawn && !state.picked && match.to_move >= 0;
  return tray(t('creams.fridge'), kinds(state.fridge.map(read)).map((die) => dieButton({
    ...die, pressed: free ? pick.die && write(pick.die) === write(die) : undefined,
    onTap: free ? () => table.set(pick.die && write(pick.die) === write(die) ? {} : { die: { color: die.color, face: die.face } }) : null,
  })));
}

const display = (table) => h('div', { class: 'display', role: 'group', 'aria-label': t('creams.display') }, table.state.display.map((each) => card(table, each, [null, null, null], table.match.to_move)));

/** card is an IceCream with its three spots; owner is the seat that may tap it. */
function card(table, { id, fame, spots, completion }, dice, owner) {
  const melts = new Map((table.state.melt ?? []).map((line) => [`${line.card}.${line.spot}`, line.becomes]));
  return h('div', { class: 'cream', role: 'group', 'aria-label': id },
    h('header', {}, h('b', {}, id), h('span', { class: 'fame', 'aria-label': t('creams.fame', { fame }) }, icon('star'), String(fame)), glyph(completion)),
    h('div', { class: 'spots' }, spots.map((spot, i) => place(table, `${id}.${i}`, spot, dice[i] ? read(dice[i]) : null, melts.get(`${id}.${i}`), owner))));
}

function place(table, at, spot, die, becomes, owner) {
  const hand = inHand(table), lit = table.able && hand && fits(table, at);
  const wants = spot.colour ? t(`color.${spot.colour}`) : t('creams.any');
  const label = [die ? dieName(die.color, die.face) : wants, spot.bonus ? t(`bonus.${spot.bonus}`) : '', becomes === undefined ? '' : becomes ? t('creams.becomes', { face: becomes }) : t('creams.melts')].filter(Boolean).join(', ');
  const inside = [
    die ? drawDie(die.color, die.face) : glyph(spot.bonus),
    becomes === undefined ? null : h('span', { class: 'becomes', 'aria-hidden': 'true' }, '→', becomes ? drawDie(die.color, becomes) : icon('no')),
  ];
  const name = `spot3 ${spot.colour ?? 'any'}${lit ? ' lit' : ''}${table.pointed.has(at) ? ' advised' : ''}`;
  if (!table.able || (!hand && !die) || owner !== table.match.to_move) return h('div', { class: name, role: 'img', 'aria-label': label }, inside);
  return h('button', { type: 'button', class: name, 'aria-label': label, 'data-key': `spot-${at}`, onclick: () => (hand ? put(table, placing(table), at, hand) : bump(table, at, die)) }, inside);
}

/** put places the die in hand; where Sprinkles can change it on its way it is asked what it is to show. */
async function put(table, verb, at, die) {
  const start = `${table.me} ${verb} ${at}`;
  const ways = may(table, start).map(({ act }) => act);
  if (ways.length < 2) {
    table.act(start);
    return;
  }
  const delta = (act) => Number(act.slice(start.length).trim() || 0);
  const act = await chooseOne(t('creams.change'), [ways.sort((a, b) => delta(a) - delta(b)).map((each) => ({
    node: drawDie(die.color, die.face + delta(each)), label: dieName(die.color, die.face + delta(each)), value: each, now: delta(each) === 0,
  }))], t('creams.cost'));
  if (act) table.act(act);
}

/** bump changes a placed die for Sprinkles. */
async function bump(table, at, die) {
  const act = await chooseOne(t('creams.change'), [[1, 2, 3, 4, 5, 6].map((face) => ({
    node: drawDie(die.color, face), label: dieName(die.color, face), now: face === die.face,
    value: face === die.face ? null : `${table.me} bump ${at} ${face > die.face ? '+' : ''}${face - die.face}`,
  }))], t('creams.cost'));
  if (act) table.act(act);
}

/** What can be done with one button, and its sign. */
const buttons = { gain: 'star', away: 'ok', done: 'next', buy: 'roll', melt: 'sun', clean: 'next', toss: 'off', second: 'no', serve: 'star' };

/** labelOf is what the button of an act says. */
function labelOf(act) {
  const [, verb, what] = act.split(' ');
  if (verb === 'gain') return t('creams.gain', { count: what });
  return verb === 'toss' ? t('creams.toss', { card: what }) : t(`creams.${verb}`);
}

/** actions are what can be done with one button, what is due stands out; and what lies beside the cards meanwhile. */
function actions(table) {
  const { state, match, me } = table;
  if (match.to_move === -1) return chance(table);
  const hand = inHand(table), list = [];
  let beside = null;
  const button = (sign, text, act, more) => doing(sign, text, () => table.act(act), { act, ...more });
  if (state.drawn) {
    beside = h('span', { class: 'inhand' }, drawDie(hand.color, hand.face, dieName(hand.color, hand.face)));
    if (may(table, `${me} set aside`).length) list.push(button('off', t('creams.aside'), `${me} set aside`, { main: !somewhere(table) }));
  } else if (hand) list.push(button('off', t('creams.discard'), `${me} discard ${write(hand)}`, { main: !somewhere(table) && may(table, `${me} discard ${write(hand)}`).length > 0 }));
  const due = duty(table)?.act;
  for (const { act } of table.acts) {
    const [who, verb, what] = act.split(' ');
    if (!buttons[verb] || (['serve', 'second'].includes(verb) && what !== 'none')) continue;
    list.push(who === me ? null : token('ABCDEFGH'.indexOf(who)), button(buttons[verb], labelOf(act), act, { key: `do-${act}`, main: act === due }));
  }
  return { does: list, beside };
}

/** chance is what pouch, dice or deck decide: the program does, or players tell what happened. */
function chance(table) {
  const { state, pick, match } = table;
  const reveals = table.acts.filter(({ act }) => act.startsWith('nature reveal '));
  const roll = table.bare && doing('roll', t(reveals.length ? 'creams.reveal' : 'do.roll'), () => table.roll(), { main: true, key: 'do-roll' });
  if (reveals.length) {
    const choose = async () => {
      const act = await chooseOne(t('creams.display'), chunks(reveals.map(({ act: each, move }) => ({ label: move.card, value: each })), 3));
      if (act) table.act(act);
    };
    return { does: [roll, doing('take', t('creams.choose'), choose)] };
  }
  const told = pick.told ?? [], need = state.phase === 'draw' ? match.players.length + 3 : 1;
  const add = async () => {
    const die = await chooseOne(t('creams.drawn'), flavours.map((color) => [1, 2, 3, 4, 5, 6].map((face) => ({ node: drawDie(color, face), label: dieName(color, face), value: { color, face } }))), `${told.length + 1} / ${need}`);
    if (!die) return;
    const dice = [...told, die];
    if (dice.length < need) table.set({ told: dice });
    else table.act(`nature ${state.phase === 'draw' ? 'draw' : 'roll'} ${dice.map(write).join(',')}`);
  };
  return {
    does: [roll, doing('take', t('creams.told'), add)],
    beside: told.length ? tray(t('creams.drawn'), told.map((die, i) => dieButton({ ...die, key: `told-${i}`, onTap: () => table.set({ told: told.filter((_, k) => k !== i) }) }))) : null,
  };
}

const chunks = (list, n) => Array.from({ length: Math.ceil(list.length / n) }, (_, i) => list.slice(i * n, i * n + n));

/** melting tells what every placed die becomes before anybody turns it. */
function melting(table) {
  const { state, match } = table;
  if (!state.melt?.length) return null;
  return h('table', { class: 'melt', 'aria-label': t('creams.melting') }, h('tbody', {}, state.melt.map((line) => {
    const die = read(line.die);
    return h('tr', {}, h('td', {}, token(line.player)), h('td', { class: 'who', dir: 'auto' }, match.players[line.player]), h('td', {}, line.card),
      h('td', {}, drawDie(die.color, die.face, dieName(die.color, die.face))), h('td', { class: 'arrow' }, '→'),
      h('td', {}, line.becomes ? drawDie(die.color, line.becomes, dieName(die.color, line.becomes)) : h('span', { role: 'img', 'aria-label': t('creams.melts') }, icon('no'))));
  })));
}

function cartOf(table, name, p) {
  const { state, match } = table;
  const own = state.players[p];
  return h('div', { class: `cart4 seat${p % 5}${match.to_move === p ? ' active' : ''}`, role: 'group', 'aria-label': name },
    h('header', {}, token(p), h('b', { class: 'name', dir: 'auto' }, name), state.lead === p ? h('span', { class: 'lead', role: 'img', 'aria-label': t('creams.lead') }, '1') : null,
      h('span', { class: 'sprinkles', 'aria-label': t('creams.sprinkles', { count: own.sprinkles }) }, glyph('sprinkle'), String(own.sprinkles)),
      h('span', { class: 'done', 'aria-label': t('creams.finished', { count: own.done.length }) }, icon('ok'), `${own.done.length}/5`)),
    h('div', { class: 'creams' }, own.icecreams.map((each) => card(table, each, each.dice, p))));
}
