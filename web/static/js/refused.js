// What went wrong, in the page's language: a refusal of the server, a camera that shows nothing.
import { has, t } from './i18n.js';
import { capital, plainly, sentence } from './moves.js';

/** told is a refusal in words: the sentence that came with it, the words for its code, or what the server wrote. */
export function told({ code, message, body }) {
  const key = `error.${code}`;
  return capital(sentence(body?.says)) || (has(key) ? t(key, body?.about) : plainly(message));
}

/** blind is why a camera shows nothing: the words for its kind of fault, or the eye's own. */
export function blind({ kind, reason }) {
  const key = `camera.why.${kind}`;
  return has(key) ? t(key) : reason ?? '';
}
