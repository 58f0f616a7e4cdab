// One table of a hall in the list of all, and what it asks a referee.
import { h } from './dom.js';
import { t } from './i18n.js';
import { answers, question } from './ask.js';
import { crown, token } from './players.js';

/** stateOf is how urgent a table is: trouble, asks, playing, or over. */
export function stateOf(table) {
  if (table.trouble) return 'trouble';
  if (table.help || table.ask) return 'asks';
  return table.phase === 'over' ? 'over' : 'playing';
}

/** says is what there is to say about a table besides its scores. */
function says(table) {
  if (table.trouble) return t('hall.trouble');
  if (table.help) return t('hall.help');
  if (table.ask) return question(table);
  if (table.phase === 'over' || table.phase === 'paused') return t(`state.${table.phase}`);
  return table.to_move >= 0 && table.players[table.to_move] ? t('hall.turn', { player: table.players[table.to_move] }) : '';
}

/** card is a table in the list: a link to its own page. */
export const card = (table) => h('li', {}, h('a', { class: 'seat', href: `/t/${table.id}/`, 'data-state': stateOf(table), 'data-id': table.id },
  h('b', { class: 'name' }, table.name), h('span', { class: 'game' }, table.title),
  h('ol', { class: 'people' }, table.players.map((name, seat) => h('li', { 'aria-current': table.phase !== 'over' && table.to_move === seat ? 'true' : null },
    token(seat), h('span', {}, name), table.winners?.includes(seat) ? crown(t('hall.won')) : null, h('b', {}, String(table.points[seat] ?? ''))))),
  h('span', { class: 'says' }, says(table))));

/** asked is what a table wants of a referee, with the answers as buttons. */
export function asked(table, { answer, helped }) {
  const wants = [];
  if (table.help) wants.push(h('p', {}, t('hall.help')), h('div', { class: 'options' }, h('button', { type: 'button', onclick: helped }, t('hall.helped'))));
  if (table.trouble) wants.push(h('p', {}, table.trouble));
  if (table.ask) wants.push(h('p', {}, question(table)), h('div', { class: 'options' }, answers({ ask: table.ask, choices: table.choices ?? [], possible: table.possible }, answer)));
  return h('li', { 'data-id': table.id }, h('a', { href: `/t/${table.id}/` }, `${table.name} – ${table.title}`), wants);
}

/** found says whether a table is what somebody looks for. */
export function found(table, text, only) {
  const state = stateOf(table);
  const fits = { all: true, asks: state === 'asks' || state === 'trouble', playing: state !== 'over', over: state === 'over' }[only];
  return fits && [table.name, table.title, ...table.players].some((each) => each.toLowerCase().includes(text));
}

