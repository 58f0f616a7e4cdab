// The notepad of DICE Flick, as on paper: a line a round, a column a player.
import { h } from './dom.js';
import { t } from './i18n.js';
import { chooseOne } from './chooser.js';
import { token } from './players.js';

const rounds = 10;
const usual = 35; // points that a turn seldom passes: more are behind one more tap, and asked about

/** odd says whether no turn can bring that many points. */
const odd = (score) => score === 1 || score < 0;

/** drawPad is the notepad; with onTap(seat, round, score) its cells can be tapped. */
export function drawPad({ players, state, to_move: turn, provisional = [] }, onTap) {
  const open = (seat, round) => provisional.some((each) => each.player === seat && (!round || each.round === round));
  const cell = (seat, round) => {
    const score = state.notepad[round - 1]?.[seat] ?? null;
    const now = round === state.round && seat === turn;
    const missing = score === null && (round < state.round || turn === -2);
    const name = [now ? 'now' : '', missing ? 'missing' : '', odd(score) ? 'odd' : '', open(seat, round) ? 'provisional' : ''].filter(Boolean).join(' ') || null;
    const shown = score === null ? (missing ? '?' : '') : String(score);
    const says = score === null ? t('pad.empty') : odd(score) ? t('pad.odd', { score }) : open(seat, round) ? t('pad.provisional', { score }) : String(score);
    const label = t('pad.cell', { player: players[seat], round, score: says });
    return h('td', { class: name }, onTap
      ? h('button', { type: 'button', 'data-key': `cell-${seat}-${round}`, 'aria-label': label, onclick: () => onTap(seat, round, score) }, shown)
      : h('span', { role: 'img', 'aria-label': label }, shown));
  };
  const head = (name, seat) => h('th', { scope: 'col', class: [`seat${seat % 5}`, seat === turn ? 'active' : '', turn === -2 && state.winners?.includes(seat) ? 'winner' : ''].join(' '), 'aria-current': seat === turn ? 'true' : null },
    token(seat), h('span', { dir: 'auto' }, name));
  return h('table', { class: 'pad', 'aria-label': t('pad.label') },
    h('thead', {}, h('tr', {}, h('td'), players.map(head))),
    h('tbody', {}, Array.from({ length: rounds }, (_, i) => h('tr', { class: i + 1 === state.round && turn !== -2 ? 'round' : null },
      h('th', { scope: 'row' }, String(i + 1)), players.map((_, seat) => cell(seat, i + 1))))),
    h('tfoot', {}, h('tr', {}, h('th', { scope: 'row', 'aria-label': t('pad.total') }, 'Σ'), players.map((_, seat) => h('td', { class: open(seat) ? 'provisional' : null }, h('output', { class: 'total' }, String(state.totals?.[seat] ?? 0)))))));
}

/** number asks for points: one tap for what a turn mostly brings, more numbers behind one more. */
export async function number(title, now, note = '') {
  for (let first = 0, last = usual; ; first = last + 1, last += 60) {
    const all = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const rows = [];
    while (all.length) rows.push(all.splice(0, 6).map((value) => ({ label: String(value), value, now: value === now, class: odd(value) ? 'number odd' : 'number' })));
    rows.push([{ label: t('pad.clear'), value: 'empty' }, { label: t('pad.more'), value: 'more' }]);
    const answer = await chooseOne(title, rows, note);
    if (answer !== 'more' || last > 150) return answer === 'more' ? null : answer;
  }
}

/** meant asks again about a number that looks like a slip: of a round to come, or more than a turn mostly brings or the arena is worth. */
async function meant({ match, state }, seat, round, answer) {
  if (answer === 'empty') return true;
  const asks = [], player = match.players[seat], values = { player, round, score: answer };
  const now = round === state.round && seat === match.to_move, full = state.arena.some((row) => /[A-Z]/.test(row));
  if (round > state.round) asks.push(t('pad.sure.ahead', values));
  if (now && full && answer > state.best.score) asks.push(t('pad.sure.best', { ...values, best: state.best.score }));
  else if (answer > usual) asks.push(t('pad.sure', values));
  return !asks.length || Boolean(await chooseOne(asks.join(' '), [[{ label: t('pad.sure.yes', values), value: true }]], t('pad.ask', values)));
}

/** writeCell asks for the points of a cell and writes them down. */
export async function writeCell(table, seat, round, score) {
  const { match, state, bare } = table;
  const open = match.provisional?.some((each) => each.player === seat && each.round === round);
  const answer = await number(t('pad.ask', { player: match.players[seat], round }), score, open ? t('pad.open') : '');
  if (answer === null) return;
  if (!(await meant(table, seat, round, answer))) return;
  const now = round === state.round && seat === match.to_move;
  if (now && answer !== 'empty' && !bare) table.next(answer); // the camera knows what was flicked and taken
  else if (now && answer !== 'empty' && (state.arena.some((row) => /[A-Z]/.test(row)))) table.act(`${table.letter(seat)} score ${answer}`);
  else table.act(`pad ${table.letter(seat)} ${round} ${answer}`);
}
