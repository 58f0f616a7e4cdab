// What the camera's warnings say, in the language of the page.
import { has, t } from './i18n.js';

/** wordsOf is what a warning tells people to mend. */
export const wordsOf = ({ code, text }) => (has(`warning.${code}`) ? t(`warning.${code}`) : text);
