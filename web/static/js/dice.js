// What dice look like: drawn ones, and the words for them.
import { s } from './dom.js';
import { t } from './i18n.js';

export const colors = ['red', 'yellow', 'green', 'blue', 'purple', 'orange', 'white', 'black', 'pink'];

/** The colors of the dice of each game, in the order in which they are offered. */
export const colorsOf = {
  'dessert-dice': ['red', 'yellow', 'green', 'purple', 'black'],
  'dice-box': ['red', 'yellow', 'blue', 'white', 'black'],
  'dicecreams': ['green', 'blue', 'yellow', 'black', 'orange'],
  'dice-flick': ['blue', 'yellow', 'green', 'white', 'pink'],
};

const pips = {
  1: [[2, 2]],
  2: [[1, 3], [3, 1]],
  3: [[1, 3], [2, 2], [3, 1]],
  4: [[1, 1], [1, 3], [3, 1], [3, 3]],
  5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]],
  6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]],
};

/** dieName is a die in words: "red 4". */
export function dieName(color, face) {
  const name = color ? t(`color.${color}`) : t('die.any');
  return face ? t('die', { color: name, face }) : name;
}

/** drawDie is a die as a small picture. Without a label it is an ornament. */
export function drawDie(color, face, label) {
  const attributes = { viewBox: '0 0 40 40', class: `die ${colors.includes(color) ? color : 'plain'}` };
  if (label) Object.assign(attributes, { role: 'img', 'aria-label': label });
  else attributes['aria-hidden'] = 'true';
  return s('svg', attributes,
    s('rect', { x: 2, y: 2, width: 36, height: 36, rx: 8.5, class: 'body' }),
    (pips[face] ?? []).map(([x, y]) => s('circle', { cx: x * 10, cy: y * 10, r: 3.9, class: 'pip' })));
}

/** squareName is a square as players say it: column a to e, row 1 to 5. */
export const squareName = (row, col) => `${String.fromCharCode(97 + col)}${row + 1}`;
