// What a league's page draws: the tables of a round, the standings, and what two players have done against each other.
import { $, h, refocus, setText } from './dom.js';
import { language, t } from './i18n.js';
import { crown } from './players.js';
import { below } from './root.js';

const number = (value) => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);

/** halves is how much of an opponent somebody has beaten, in halves; whoever was not there (place 0) has lost. */
function halves(mine, theirs) {
  if (!mine) return 0;
  if (!theirs || mine < theirs) return 2;
  return mine === theirs ? 1 : 0;
}

/** meetingsOf is what a player has done against everybody met: { other, times, beaten }. */
export function meetingsOf(league, player) {
  const met = new Map();
  for (const round of league.rounds) {
    for (const { players, places } of round.tables) {
      const me = players.indexOf(player);
      if (me < 0 || !places) continue;
      players.forEach((other, i) => {
        if (i === me) return;
        const before = met.get(other) ?? { other, times: 0, beaten: 0 };
        met.set(other, { other, times: before.times + 1, beaten: before.beaten + halves(places[me], places[i]) / 2 });
      });
    }
  }
  return [...met.values()].sort((a, b) => a.other.localeCompare(b.other, language));
}

/** result is what there is to say about a player at a table. */
function result(table, i) {
  if (!table.places) return '';
  return table.places[i] ? t('league.place', { place: table.places[i] }) : t('league.absent');
}

function tableCard(league, round, table, n, { may, result: enter, begin }) {
  const last = round.number === league.rounds.length;
  const name = table.name || t('league.table', { number: n + 1 });
  const actions = [];
  if (may && begin && last && table.id && table.state === 'waiting') actions.push(h('button', { type: 'button', class: 'main', onclick: () => begin(n) }, t('league.start')));
  if (may) actions.push(h('button', { type: 'button', onclick: () => enter(round.number, n, table) }, t(table.state === 'done' ? 'league.correct' : 'league.enter')));
  return h('li', { class: 'match', 'data-state': table.state },
    h('h3', {}, table.id ? h('a', { href: `/t/${table.id}/` }, name) : name, h('span', { class: 'says' }, t(`league.state.${table.state}`))),
    h('ol', { class: 'people' }, table.players.map((player, i) => h('li', { 'data-first': table.places?.[i] === 1 ? 'true' : null },
      h('span', {}, player), table.places?.[i] === 1 ? crown(t('hall.won')) : null, table.points ? h('small', {}, t('league.scored', { count: table.points[i] })) : null, h('b', {}, result(table, i))))),
    table.who ? h('p', { class: 'soft' }, t('league.entered', { who: table.who.replace(/^referee /, '') })) : null,
    actions.length ? h('div', { class: 'options' }, actions) : null);
}

function drawRound(league, chosen, edits) {
  const round = league.rounds[(chosen || league.rounds.length) - 1];
  $('round').hidden = !round;
  if (!round) return;
  const open = round.tables.filter((table) => table.state !== 'done').length;
  setText($('round-title'), `${t('league.round', { number: round.number })}, ${open ? t('league.open', { count: open }) : t('league.closed')}`);
  $('earlier').hidden = edits.big || league.rounds.length < 2;
  $('rounds').replaceChildren(...league.rounds.map((each) => h('option', { value: each.number, selected: each === round }, t('league.round', { number: each.number }))).reverse());
  $('tables').replaceChildren(...round.tables.map((table, n) => tableCard(league, round, table, n, edits)));
  setText($('byes'), round.byes.length ? t('league.byes', { players: new Intl.ListFormat(language).format(round.byes) }) : '');
  $('byes').hidden = !round.byes.length;
  $('counts').hidden = edits.big || !open;
}

function drawStandings(league, edits) {
  const some = (value) => (value === undefined ? '–' : number(value));
  const cell = (value, kind) => h('td', { class: kind }, value);
  $('players').replaceChildren(...league.standings.map((s) => h('tr', { 'data-out': s.out ? 'true' : null, 'data-rank': s.rank },
    cell(s.rank), h('th', { scope: 'row' }, edits.big ? s.player : h('button', { type: 'button', onclick: () => edits.player(s.player, Boolean(s.out)) }, s.player), s.out ? h('small', {}, ` ${t('league.left')}`) : null),
    cell(h('b', {}, number(s.points))), cell(some(s.direct), 'more'), cell(number(s.opponents), 'more'), cell(number(s.beaten), 'more'), cell(s.wins, 'more'), cell(s.played, 'some'), cell(s.rating, 'some'))));
}

/** draw shows all of a league; edits says what can be done with it. */
export function draw(league, chosen, edits) {
  setText($('name'), league.name);
  document.title = `diceref: ${league.name}`;
  const facts = [t(`league.format.${league.format}`), league.title, t('league.players', { count: league.standings.filter((s) => !s.out).length }), league.wait === 'over' ? t('league.over') : ''];
  setText($('about'), facts.filter(Boolean).join(', '));
  const focus = document.activeElement;
  const held = focus?.closest?.('#players, #tables');
  const at = held ? [...held.querySelectorAll('button, a')].indexOf(focus) : -1;
  drawRound(league, chosen, edits);
  drawStandings(league, edits);
  if (at >= 0) refocus(held.querySelectorAll('button, a')[at]); // it was replaced by another of its kind
  const file = (form) => below(`/api/v1/leagues/${encodeURIComponent(league.id)}/export?form=${form}`);
  $('files').hidden = edits.big;
  $('files').replaceChildren(t('league.files'), ...['csv', 'rounds', 'meetings', 'json'].map((form) => h('a', { href: file(form), download: true }, t(`league.file.${form}`))));
}
