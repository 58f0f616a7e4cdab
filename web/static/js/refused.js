// What a refusal of the server says, in the page's language.
import { has, t } from './i18n.js';
import { capital, plainly, sentence } from './moves.js';

/** told is a refusal in words: the sentence that came with it, the words for its code, or what the server wrote. */
export function told({ code, message, body }) {
  const key = `error.${code}`;
  return capital(sentence(body?.says)) || (has(key) ? t(key, body?.about) : plainly(message));
}
