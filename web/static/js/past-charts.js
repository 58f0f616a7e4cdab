// The charts of one match: how everybody's points went on, and what each round brought.
import { t } from './i18n.js';
import { lines, rounds } from './chart.js';
import { token } from './players.js';
import { dessert } from './scores.js';

const pointsOf = (step, name, seat) => {
  const now = step.players.indexOf(name);
  return step.sheets?.find((sheet) => sheet.player === (now < 0 ? seat : now))?.total ?? 0; // called otherwise then: the same seat
};

/** chartsOf makes the charts of a match; mark(i) shows step i in them, a tap on one calls onTap(i). */
export function chartsOf(match, steps, onTap) {
  const desserts = match.game === 'dessert-dice'; // its cards are secret, its clusters are not
  const players = match.players.map(({ name }, seat) => ({ name, look: `seat${seat % 5}`, sign: () => token(seat) }));
  const series = desserts
    ? ['J', 'S', 'P', 'I'].map((letter, i) => ({ name: t(`dessert.${letter}`), look: `seat${i}`, sign: () => dessert(letter), values: steps.map(({ state }) => state.clusters?.[letter] ?? 0) }))
    : players.map((each, seat) => ({ ...each, values: steps.map((step) => pointsOf(step, each.name, seat)) }));
  const nodes = [];
  let mark = () => {};
  if (series.some(({ values }) => values.some(Boolean))) {
    const chart = lines(t(desserts ? 'clusters.label' : 'chart.points'), series, onTap);
    nodes.push(chart.node);
    mark = chart.mark;
  }
  const pad = steps.at(-1)?.state.notepad;
  if (pad) nodes.push(rounds(t('chart.rounds'), players.map((each, seat) => ({ ...each, values: Array.from({ length: 10 }, (_, i) => pad[i]?.[seat] ?? null) }))));
  return { nodes, mark };
}
