// The voice and its sounds: off until somebody taps, as browsers insist and people too.
import { language } from './i18n.js';

let on = false;
let sound = null; // the AudioContext, once somebody tapped

/** canSpeak says whether this browser has a voice or sounds at all. */
export const canSpeak = 'speechSynthesis' in window || 'AudioContext' in window;

/** toggleVoice switches voice and sounds, and says whether they are on now. */
export function toggleVoice() {
  on = !on;
  if (on && 'AudioContext' in window) sound ??= new AudioContext();
  if (on) sound?.resume();
  else {
    window.speechSynthesis?.cancel();
    sound?.suspend();
  }
  return on;
}

/** speak says a text after what is being said; what has become old is dropped. */
export function speak(text) {
  if (!on || !text || !window.speechSynthesis) return;
  if (speechSynthesis.pending) speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  speechSynthesis.speak(words);
}

/** Notes (Hz) for each kind of news: up is good, down is bad, the same twice is a question, four up are a victory. */
const tunes = { win: [523, 659, 784, 1047], good: [587, 880], bad: [311, 208], ask: [659, 659] };
const note = 0.13; // s

/** chime plays the notes of 'win', 'good', 'bad' or 'ask'. */
export function chime(kind) {
  if (!on || !sound || !tunes[kind]) return;
  tunes[kind].forEach((pitch, i) => {
    const from = sound.currentTime + i * note;
    const tone = new OscillatorNode(sound, { frequency: pitch, type: 'triangle' });
    const loud = new GainNode(sound, { gain: 0 });
    loud.gain.setValueAtTime(0, from);
    loud.gain.linearRampToValueAtTime(0.25, from + 0.015);
    loud.gain.linearRampToValueAtTime(0, from + note);
    tone.connect(loud).connect(sound.destination);
    tone.start(from);
    tone.stop(from + note);
  });
}
