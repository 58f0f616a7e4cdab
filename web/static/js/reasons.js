// The rulebook's reasons in the page's language. The rules write them in English; an English sentence, with %s for what
// varies, is the key of its translation, as in gettext.

/** patterns are the entries of a list of translations; those with most words of their own come first. */
function patterns(list) {
  return Object.entries(list).map(([english, words]) => {
    const fixed = english.split(/%[sdv]/);
    const pattern = fixed.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.+?)');
    return { words, own: fixed.join('').length, whole: new RegExp(`^${pattern}$`), first: new RegExp(`^${pattern}(?: (.+))?$`) };
  }).sort((a, b) => b.own - a.own);
}

/** translator makes the function that translates reasons. It returns '' for a text that it does not know whole. What
    varies and has no translation of its own, a name or a die, is said by leaf(text). */
export function translator(dictionary, leaf) {
  const sentences = patterns(dictionary.sentences), parts = patterns(dictionary.parts);
  const fill = (words, [, ...values]) => words.replace(/\{(\d)\}/g, (_, i) => part(values[i - 1]));

  function part(text) {
    for (const { whole, words } of parts) {
      const found = whole.exec(text);
      if (found) return fill(words, found);
    }
    return leaf(text);
  }

  /** translate takes the shortest first sentence after which all is known: a name may hold a full stop. */
  return function translate(text) {
    let best = null;
    for (const { first, words } of sentences) {
      const found = first.exec(text), rest = found?.pop();
      const length = text.length - (rest?.length ?? 0);
      if (!found || length >= best?.length) continue;
      const after = rest ? translate(rest) : '';
      if (!rest || after) best = { length, said: `${fill(words, found)} ${after}`.trim() };
    }
    if (best) return best.said;
    for (const { whole, words } of sentences) {
      const found = whole.exec(text);
      if (found) return fill(words, found);
    }
    return '';
  };
}
