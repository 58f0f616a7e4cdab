// Which dice are likely where something is put right: those offered first.
import { colorsOf } from './dice.js';
import { root } from './root.js';

const most = 6; // in one row
const letters = { R: 'red', Y: 'yellow', G: 'green', P: 'purple', K: 'black', B: 'blue', W: 'white' };
const read = (word) => ({ color: letters[word[0]], face: Number(word[1]) });
const same = (a, b) => a.color === b.color && a.face === b.face;

/** pool is the dice that have not been played, as far as it is told which; undefined: that is not known. */
function pool({ game, state }, seat) {
  if (game === 'dessert-dice') return state?.supply?.map(read);
  return game === 'dice-box' ? state?.hands?.[seat]?.dice?.map(read) : undefined;
}

/**
 * likely lists the dice that may lie where another one (was) was told, or nothing: first those that the
 * player still has or the supply still holds, and of them those that the camera took it for second (rivals), then those
 * like it.
 */
export function likely(match, was, seat, rivals = []) {
  const { game } = match, left = pool(match, seat);
  if (!was && !left && !rivals.length) return [];
  const faces = (color) => (game === 'dice-flick' && color === 'pink' ? [0] : [1, 2, 3, 4, 5, 6]);
  const worth = (die) => {
    const seen = rivals.find((each) => same(each, die))?.p ?? 0;
    return (left?.some((each) => same(each, die)) ? 10 : 0) + (seen ? 1 + seen : 0) + (was?.color === die.color ? 0.2 : 0) + (was?.face === die.face ? 0.1 : 0);
  };
  return (colorsOf[game] ?? []).flatMap((color) => faces(color).map((face) => ({ color, face })))
    .filter((die) => !was || !same(die, was)).map((die) => ({ ...die, worth: worth(die) })).filter((die) => die.worth > 0)
    .sort((a, b) => b.worth - a.worth).slice(0, most).map(({ color, face }) => ({ color, face }));
}

const patience = 500; // ms that a dialog waits for them

/** rivalsAt asks what else the camera may see on a square; nothing where the answer takes too long. */
export async function rivalsAt(row, col) {
  const answer = await fetch(`${root}/api/v1/observation`, { signal: AbortSignal.timeout(patience) }).catch(() => null);
  const { observation } = answer?.ok ? await answer.json().catch(() => ({})) : {};
  const i = observation?.dice.findIndex((die) => die.row === row && die.col === col) ?? -1;
  return i < 0 ? [] : observation.rivals?.[i] ?? [];
}
