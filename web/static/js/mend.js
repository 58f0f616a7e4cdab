// Putting an earlier act right: what else it may have been, as acts in the game's notation.
import { h } from './dom.js';
import { t } from './i18n.js';
import { likelyRow, offer } from './correct.js';
import { likely } from './likely.js';
import { colorsOf, dieName, drawDie, squareName } from './dice.js';
import { token } from './players.js';

const letters = {
  'dessert-dice': { red: 'R', yellow: 'Y', green: 'G', purple: 'P', black: 'K' },
  'dice-box': { red: 'R', yellow: 'Y', blue: 'B', white: 'W' },
  'dice-flick': { blue: 'B', yellow: 'Y', green: 'G', white: 'W', pink: 'P' },
};
const faces = [1, 2, 3, 4, 5, 6];
const dieWord = { board: /\b[A-Z][1-6*](?:\/[1-6])?(?= |$)/, creams: /\b(?:green|blue|yellow|black|orange)[1-6]/ };
const squareWord = /\b[a-e][1-5]\b/g;
const spotWord = /\b[\w-]+\.[0-2]\b/;

/** can says whether an act can be put right by tapping it. */
export const can = ({ acts = [], by, type }) => acts.length === 1 && by !== 'rules' && !['takeback', 'stands'].includes(type) && !/^(?:markers|arena|supply|nature reveal|nature draw) /.test(acts[0]);

/** button is one other act; what it was is marked. */
const button = (act, value, node, label) => ({ node, label, value, now: value === act });

/** diceOf are rows of all dice of a game, each in the place of the one that an act names. */
function diceOf(act, match) {
  const { game } = match;
  const known = letters[game], word = known ? dieWord.board : dieWord.creams;
  if (!word.test(act)) return [];
  const name = (color, face) => (known ? known[color] + (face || '*') : color + face);
  const now = word.exec(act)[0], was = known ? { color: Object.keys(known).find((color) => known[color] === now[0]), face: Number(now[1]) || 0 } : { color: now.slice(0, -1), face: Number(now.at(-1)) };
  const first = likely(match, was, 'ABCDEFGH'.indexOf(act[0]));
  return [...likelyRow(first, ({ color, face }) => act.replace(word, name(color, face))), ...colorsOf[game].map((color) => ({
    label: t(`color.${color}`),
    buttons: (color === 'pink' ? [0] : faces).map((face) => button(act, act.replace(word, name(color, face)), drawDie(color, face), dieName(color, face))),
  }))];
}

/** squaresOf are the squares to which the die may have gone instead. */
function squaresOf(act) {
  const found = [...act.matchAll(squareWord)];
  const at = /^\S+ (?:move|shift) /.test(act) ? found[1] : /^\S+ (?:place|flick) /.test(act) ? found[0] : null;
  if (!at) return [];
  return Array.from({ length: 5 }, (_, row) => ({
    label: String(row + 1), many: 5,
    buttons: Array.from({ length: 5 }, (__, col) => squareName(row, col)).map((name) => button(act, act.slice(0, at.index) + name + act.slice(at.index + 2), h('span', {}, name), name)),
  }));
}

/** listOf are rows of faces, one for each die of a list in Fromage, and one for a die more. */
function listOf(act) {
  const [, start, list] = /^(.* (?:roll|keep|steal [A-H]|compensate) )([1-6]+)$/.exec(act) ?? [];
  if (!list) return [];
  const dice = [...list].map(Number);
  const write = (all) => start + [...all].sort().join('');
  const row = (i) => ({
    label: t('mend.die', { n: i + 1 }), many: 7,
    buttons: [...faces.map((face) => button(act, write(dice.toSpliced(i, 1, face)), drawDie(null, face), String(face))),
      dice.length > 1 ? button(act, write(dice.toSpliced(i, 1)), h('span', {}, '×'), t('mend.less')) : null].filter(Boolean).map((each) => ({ ...each, now: each.label === list[i] })),
  });
  const more = { label: t('mend.more'), many: 7, title: '+', buttons: faces.map((face) => button(act, write([...dice, face]), drawDie(null, face), t('mend.and', { face }))) };
  return [...dice.map((_, i) => row(i)), ...(dice.length < 5 ? [more] : [])];
}

/** othersOf are the players, spots or Customers that an act may have been about instead. */
function othersOf(act, { players, state }) {
  const steal = /^([A-H] steal )[A-H]( .*)$/.exec(act);
  if (steal) {
    return [{ label: t('history.players'), many: 4, buttons: players.map((name, seat) => ({ name, seat, letter: 'ABCDEFGH'[seat] })).filter(({ letter }) => letter !== act[0])
      .map(({ name, seat, letter }) => button(act, steal[1] + letter + steal[2], token(seat), name)) }];
  }
  const served = /^([A-H] (?:serve|second) )(?!none)\S+$/.exec(act)?.[1];
  if (served) return [{ label: t('line.customers'), many: 3, buttons: state.customers.map(({ id }) => button(act, served + id, h('span', {}, id), id)) }];
  const points = /^([A-H] compensate )\d+ points$/.exec(act)?.[1];
  if (points) return [{ label: t('mend.points'), many: 7, buttons: [0, 1, 2, 3, 4, 5, 6].map((n) => button(act, `${points}${n} points`, h('span', {}, String(n)), t('fromage.points', { score: n }))) }];
  const own = state.players?.['ABCDEFGH'.indexOf(act[0])]?.icecreams;
  if (!own || !spotWord.test(act)) return [];
  return [...state.display, ...own].map(({ id }) => ({
    label: id, many: 3, buttons: [1, 2, 3].map((n) => t('word.spot', { card: id, spot: n })).map((name, i) => button(act, act.replace(spotWord, `${id}.${i}`), h('span', {}, name), name)),
  }));
}

/** more is what else an act may have been, each with one button. */
function more(act) {
  const seed = /^seed [1-6]$/.test(act) ? [{ label: t('table.seed'), buttons: faces.map((face) => button(act, `seed ${face}`, drawDie('black', face), dieName('black', face))) }] : [];
  const flick = /^([A-H]) flick ([A-Z])/.exec(act);
  return [...seed, ...(flick ? [{ label: t('say.miss'), many: 1, buttons: [button(act, `${flick[1]} miss ${flick[2]}`, h('span', {}, t('say.miss')), t('say.miss'))] }] : [])];
}

/**
 * instead asks what an act was in truth. It gives {move}, "nothing" for one that never
 * happened, {back: true} where everything from it on is to be undone, or null.
 */
export async function instead(event, match, title) {
  const [act] = event.acts;
  const rows = [...diceOf(act, match), ...squaresOf(act), ...listOf(act), ...othersOf(act, match), ...more(act)];
  const answer = await offer({ title, note: t('mend.ask'), rows, gone: t('mend.never'), back: t('mend.back') });
  if (answer === null) return null;
  if (answer === offer.back) return { back: true };
  return { move: answer === offer.gone ? 'nothing' : answer };
}
