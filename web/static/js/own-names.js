// What faces show, in words.
import { has, t } from './i18n.js';

/** numbers are the faces that any die may have. */
export const numbers = ['1', '2', '3', '4', '5', '6'];

/** Games in whose dice a burst takes the place of a number. */
const bursting = ['dice-flick', 'any'];

/** choices are the names that a game's dice may have, its own first. */
export const choices = (game, icons) => [...icons, ...numbers, ...(bursting.includes(game) ? ['burst'] : []), 'none'];

const one = (name) => (has(`own.face.${name}`) ? t(`own.face.${name}`) : name.replace(/^./, (letter) => letter.toUpperCase()));

/** shown is a name in words; icons may be several. */
export const shown = (name) => name.split('+').map(one).join(' + ');
