// Words in the language of the page: one JSON file a language, keys alike in all.
import { arrives } from './root.js';

const languages = ['en', 'de'];
let words = {};

/** reasons holds the translations of the rulebook's reasons (see reasons.js); null in English, which they are written in. */
export let reasons = null;
export let language = 'en';

function wanted() {
  const chosen = localStorage.getItem('language') ?? document.documentElement.dataset.language;
  if (languages.includes(chosen)) return chosen;
  return (navigator.languages ?? [navigator.language]).map((l) => l.slice(0, 2)).find((l) => languages.includes(l)) ?? 'en';
}

/** loadWords fetches the words and puts them into every element with data-t. */
export async function loadWords() {
  language = wanted();
  const file = async (name) => (await arrives(`/static/lang/${name}.json`)).json();
  [words, reasons] = await Promise.all([file(language), language === 'en' ? null : file(`reasons.${language}`)]);
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll('[data-t]')) {
    node.textContent = t(node.dataset.t);
    if (!node.dataset.tLabel) node.removeAttribute('aria-label'); // it was the name until now
  }
  for (const node of document.querySelectorAll('[data-t-label]')) node.setAttribute('aria-label', t(node.dataset.tLabel));
  if (document.documentElement.dataset.title) document.title = t(document.documentElement.dataset.title);
}

/** has says whether there are words for a key. */
export const has = (key) => Object.hasOwn(words, key);

/** isolated keeps a name that is written from right to left from turning the sentence around it. */
const isolated = (value) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(value) ? `\u2068${value}\u2069` : String(value));

/** A word that depends on a number, as in ICU messages: {count, plural, one {a die} other {# dice}}. */
const plural = /\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g;

/** counted chooses the form of a word for each number. */
const counted = (text, values) => text.replace(plural, (whole, name, one, other) => {
  if (!(name in values)) return whole;
  const form = new Intl.PluralRules(language).select(Number(values[name])) === 'one' ? one : other;
  return form.replaceAll('#', values[name]);
});

/** t is the text of a key; {name} is replaced by values.name. */
export function t(key, values = {}) {
  const text = counted(words[key] ?? key, values);
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? isolated(values[name]) : whole));
}

/** percent writes 0.987 as people of the language do. */
export const percent = (p) => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(p);

/** otherLanguage switches to the next language and loads the page again. */
export function otherLanguage() {
  localStorage.setItem('language', languages[(languages.indexOf(language) + 1) % languages.length]);
  location.reload();
}
