// What dice look like: drawn ones, and the words for them.
import { s } from './dom.js';
import { t } from './i18n.js';
import { shown } from './own-names.js';
import { root } from './root.js';

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

let own = { faces: [], cards: false, key: '' }; // what is on the dice in place of pips, as their owner has shown it

/** loadFaces asks what is on the dice that are played with, and says whether that is something else than before. */
export async function loadFaces() {
  const answer = await fetch(`${root}/api/v1/faces`).catch(() => null);
  const { faces = [], cards = false } = answer?.ok ? await answer.json().catch(() => ({})) : {};
  const before = own.key || '[[],false]';
  own = { faces, cards, key: JSON.stringify([faces, cards]) };
  return own.key !== before;
}

/** cardsShown says whether secret cards can be held before the camera: their owner has shown it how they look. */
export const cardsShown = () => own.cards;

/** iconOn is what is on a face in place of pips: {name, picture}; undefined where it has pips. */
function iconOn(color, face) {
  const here = own.faces.filter((each) => each.face === face);
  const icon = here.find(({ colors: by }) => by?.[color]) ?? here[0];
  if (!icon) return undefined;
  const same = icon.colors?.[color];
  return { name: icon.name, picture: `${root}/api/v1/faces/${same ?? icon.picture}`, other: color && !same };
}

/** pictureOn is the owner's picture of a face, to be drawn around the middle; undefined where it has pips. The picture shows a little more than the top. */
export function pictureOn(color, face, [x, y], size) {
  const icon = iconOn(color, face);
  return icon && s('image', { class: icon.other ? 'shown other' : 'shown', href: icon.picture, x: x - size / 2, y: y - size / 2, width: size, height: size });
}

/** dieName is a die in words: "red 4", or with the icon in place of the number. */
export function dieName(color, face) {
  const name = color ? t(`color.${color}`) : t('die.any');
  const icon = face ? iconOn(color, face) : undefined;
  return face ? t('die', { color: name, face: icon ? shown(icon.name) : face }) : name;
}

/** drawDie is a die as a small picture. Without a label it is an ornament. */
export function drawDie(color, face, label) {
  const attributes = { viewBox: '0 0 40 40', class: `die ${colors.includes(color) ? color : 'plain'}` };
  if (label) Object.assign(attributes, { role: 'img', 'aria-label': label });
  else attributes['aria-hidden'] = 'true';
  return s('svg', attributes,
    s('rect', { x: 2, y: 2, width: 36, height: 36, rx: 8.5, class: 'body' }),
    pictureOn(color, face, [20, 20], 32) ?? (pips[face] ?? []).map(([x, y]) => s('circle', { cx: x * 10, cy: y * 10, r: 3.9, class: 'pip' })));
}

/** squareName is a square as players say it: column a to e, row 1 to 5. */
export const squareName = (row, col) => `${String.fromCharCode(97 + col)}${row + 1}`;
