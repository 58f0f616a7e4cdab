// What the camera's warnings say, in the language of the page.
import { has, t } from './i18n.js';

/** wordsOf is what a warning tells people to mend. */
export const wordsOf = ({ code, text }) => (has(`warning.${code}`) ? t(`warning.${code}`) : text);

/** duringPlay leaves out what is no fault of a match that goes on: between two rolls a table may well be empty. */
export const duringPlay = (warnings) => (warnings ?? []).filter((w) => w.code !== 'no-dice');
