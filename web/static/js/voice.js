// The voice: off until somebody taps, as browsers insist and people too.
import { language } from './i18n.js';

let on = false;

/** canSpeak says whether this browser has a voice at all. */
export const canSpeak = 'speechSynthesis' in window;

/** toggleVoice switches the voice and says whether it is on now. */
export function toggleVoice() {
  on = !on;
  if (!on) speechSynthesis.cancel();
  return on;
}

/** speak says a text after what is being said; what has become old is dropped. */
export function speak(text) {
  if (!on || !text) return;
  if (speechSynthesis.pending) speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  speechSynthesis.speak(words);
}
