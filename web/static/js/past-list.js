// All past matches, and what they tell together of players and games.
import { h } from './dom.js';
import { language, t } from './i18n.js';
import { bar } from './chart.js';
import { fates, renaming } from './past-change.js';
import { crown, token } from './players.js';
import { root } from './root.js';

const perPage = 20;

/** when is a moment as people of the language write it. */
export const when = (time) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));

const number = (value) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);

/** who is the players of a match with their points; the winners wear a crown. */
export const who = ({ players, phase }) => h('ul', { class: 'who' }, players.map(({ name, points, won }, seat) => h('li', { class: `seat${seat % 5}${won ? ' won' : ''}` },
  token(seat), h('b', {}, name), phase === 'over' || points ? h('span', { class: 'points' }, String(points)) : null, won ? crown(t('history.winner')) : null)));

/** names is what a match is called: its title, if it has one, and its game. */
export const names = ({ title, game }) => [title ? h('b', { class: 'title' }, title) : null, game ? h(title ? 'span' : 'b', {}, t(`game.${game}`)) : null];

/** standing says that a match is not over or that nobody won, that some of it is lost, and why it cannot be looked at. */
export const standing = ({ phase, trouble, unsettled, empty, lost }) => [
  empty ? h('span', { class: 'open' }, t('history.empty')) : unsettled ? h('span', { class: 'open' }, t('history.unsettled')) : phase === 'over' ? null : h('span', { class: 'open' }, t(phase === 'paused' ? 'state.paused' : 'history.open')),
  lost ? h('span', { class: 'open' }, t('history.lost', { n: lost })) : null,
  trouble ? h('span', { class: 'open' }, trouble) : null,
];

/** row is a match of the list. One that is deleted, has nothing in it or cannot be looked at can be dealt with here. */
const row = (match, again) => h('li', {}, h('a', { href: `${root}/history?match=${encodeURIComponent(match.id)}` },
  h('span', { class: 'what' }, names(match), h('time', { datetime: match.began }, when(match.began)), standing(match)), who(match)),
match.deleted || match.empty || match.trouble ? h('p', { class: 'fates' }, fates(match, again)) : null);

/** choice is a list to narrow the matches down by. */
function choice(id, label, options, onChange) {
  const select = h('select', { id, onchange: onChange }, h('option', { value: '' }, t('history.any')), options.map(([value, text]) => h('option', { value }, text)));
  return { select, node: h('label', {}, h('span', {}, label), select) };
}

/** showList fills the page with the matches, page by page, and with the statistics. */
export async function showList(page, ask) {
  const [told, all] = await Promise.all([ask('statistics'), ask('history?limit=1')]);
  const again = () => location.reload();
  page.append(...(all.damaged ?? []).map((file) => h('p', { class: 'leaf damaged', role: 'status' }, t('history.damaged', { file }))));
  if (!all.total && !all.deleted) {
    page.append(h('p', { class: 'none' }, t('history.none')));
    return;
  }
  const list = h('ol', { id: 'matches' });
  const nothing = h('p', { class: 'none', hidden: true });
  const more = h('button', { type: 'button', id: 'more', hidden: true, onclick: () => load(false) }, t('history.more'));
  const game = choice('game', t('history.game'), told.games.map((each) => [each.game, t(`game.${each.game}`)]), () => load(true));
  const player = choice('player', t('history.player'), told.players.map((each) => [each.name, each.name]), () => load(true));
  const bin = h('button', { type: 'button', id: 'deleted', 'aria-pressed': 'false', onclick: () => { deleted = !deleted; load(true); } }, t('history.deleted', { n: all.deleted ?? 0 }));
  let turn = 0; // a late answer to an older choice is dropped
  let deleted = false;
  async function load(anew) {
    const mine = ++turn;
    const from = anew ? 0 : list.childElementCount;
    const { matches, total } = await ask(`history?${new URLSearchParams({ game: game.select.value, player: player.select.value, from, limit: perPage, deleted })}`);
    if (mine !== turn) return;
    const rows = matches.map((match) => row(match, again));
    if (anew) list.replaceChildren(...rows);
    else list.append(...rows);
    more.hidden = list.childElementCount >= total;
    nothing.hidden = total > 0;
    nothing.textContent = t(all.total || deleted ? 'history.nothing' : 'history.none');
    bin.setAttribute('aria-pressed', String(deleted));
  }
  await load(true);
  page.append(
    h('section', { class: 'leaf matches', 'aria-label': t('menu.history') }, h('form', { class: 'narrow' }, game.node, player.node), list, nothing, more, all.deleted ? bin : null),
    ...(told.matches ? [h('div', { class: 'told' }, playersOf(told, again), gamesOf(told))] : []),
  );
}

/** playersOf tells of every player: victories, and points by game, to compare. */
function playersOf({ players, games }, again) {
  const most = (name) => Math.max(1, games.find((each) => each.game === name)?.best?.points ?? 1);
  return h('section', { class: 'leaf', id: 'players' }, h('h2', {}, t('history.players')), players.map((each) => h('div', { class: 'person' },
    h('h3', {}, each.name),
    each.over ? bar(each.won, each.over, { label: t('history.won', each), kind: 'wins' }) : h('p', { class: 'note' }, t('history.open')),
    each.games.filter(({ over }) => over).map((tally) => bar(tally.mean ?? 0, most(tally.game), {
      label: t(`game.${tally.game}`), note: t('history.mean', { mean: number(tally.mean ?? 0), best: tally.best ?? 0 }), mark: tally.best ?? 0,
    })),
    each.rating ? h('p', { class: 'note' }, t('history.rating', each)) : null,
    each.illegal ? h('p', { class: 'note' }, t('history.illegal', { illegal: each.illegal, acts: each.acts })) : null,
    renaming(each.name, again))));
}

/** gamesOf tells of every game: how often, how long, and who was best. */
function gamesOf({ games }) {
  const most = Math.max(...games.map((each) => each.matches));
  return h('section', { class: 'leaf', id: 'games' }, h('h2', {}, t('history.games')), games.map((each) => h('div', { class: 'person' },
    bar(each.matches, most, { label: t(`game.${each.game}`), note: `× ${each.matches}` }),
    each.over ? h('p', { class: 'note' }, [t('history.long', { minutes: number(each.minutes) }), each.best ? t('history.best', each.best) : ''].filter(Boolean).join(' · ')) : null)));
}
