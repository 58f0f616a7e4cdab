// Whose a score of DICE Flick is, where none of the answers that were offered is right.
import { chooseOne } from './chooser.js';
import { t } from './i18n.js';
import { number } from './pad.js';

const rounds = 10;

/** whose asks for the player and the round of a score, and on demand for its points; null if the dialog was closed. */
export async function whose({ players, possible = [], question, state }, title) {
  const answered = possible.map(({ answer }) => answer).filter(({ kind }) => kind === 'scored-in');
  const near = answered.length ? answered.map(({ round }) => round) : [state.round];
  const first = Math.max(1, Math.min(...near) - 1), last = Math.min(rounds, Math.max(...near) + 1);
  const told = possible.flatMap(({ events }) => events).find(({ type }) => type === 'score');
  for (let score = question.count ?? told?.score ?? 0; ;) {
    const rows = [];
    for (let round = first; round <= last; round += 1) {
      rows.push(players.map((player) => ({ label: t('doubt.scored-in', { player, round, count: score }), value: { player, round, score } })));
    }
    rows.push([{ label: t('whose.nobody'), value: {} }, { label: t('whose.points'), value: 'points' }]);
    const answer = await chooseOne(title, rows);
    if (answer !== 'points') return answer;
    const points = await number(t('whose.points'), score);
    if (typeof points === 'number') score = points;
  }
}
