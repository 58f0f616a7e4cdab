// The notepad of DICE Flick, as on paper: a line a round, a column a player.
import { h } from './dom.js';
import { t } from './i18n.js';
import { chooseOne } from './chooser.js';
import { token } from './players.js';

const rounds = 10;

/** odd says whether no turn can bring that many points. */
const odd = (score) => score === 1 || score < 0;

/** drawPad is the notepad; with onTap(seat, round, score) its cells can be tapped. */
export function drawPad({ players, state, to_move: turn }, onTap) {
  const cell = (seat, round) => {
    const score = state.notepad[round - 1]?.[seat] ?? null;
    const now = round === state.round && seat === turn;
    const missing = score === null && (round < state.round || turn === -2);
    const name = [now ? 'now' : '', missing ? 'missing' : '', odd(score) ? 'odd' : ''].filter(Boolean).join(' ') || null;
    const shown = score === null ? (missing ? '?' : '') : String(score);
    const says = score === null ? t('pad.empty') : odd(score) ? t('pad.odd', { score }) : String(score);
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
    h('tfoot', {}, h('tr', {}, h('th', { scope: 'row', 'aria-label': t('pad.total') }, 'Σ'), players.map((_, seat) => h('td', {}, h('output', { class: 'total' }, String(state.totals?.[seat] ?? 0)))))));
}

/** number asks for points: one tap for what a turn mostly brings, more numbers behind one more. */
async function number(title, now) {
  for (let first = 0, last = 35; ; first = last + 1, last += 60) {
    const all = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const rows = [];
    while (all.length) rows.push(all.splice(0, 6).map((value) => ({ label: String(value), value, now: value === now, class: odd(value) ? 'number odd' : 'number' })));
    rows.push([{ label: t('pad.clear'), value: 'empty' }, { label: t('pad.more'), value: 'more' }]);
    const answer = await chooseOne(title, rows);
    if (answer !== 'more' || last > 150) return answer === 'more' ? null : answer;
  }
}

/** writeCell asks for the points of a cell and writes them down. */
export async function writeCell(table, seat, round, score) {
  const { match, state, bare } = table;
  const answer = await number(t('pad.ask', { player: match.players[seat], round }), score);
  if (answer === null) return;
  const now = round === state.round && seat === match.to_move;
  if (now && answer !== 'empty' && !bare) table.next(answer); // the camera knows what was flicked and taken
  else if (now && answer !== 'empty' && (state.arena.some((row) => /[A-Z]/.test(row)))) table.act(`${table.letter(seat)} score ${answer}`);
  else table.act(`pad ${table.letter(seat)} ${round} ${answer}`);
}
