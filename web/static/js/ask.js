// A doubt: the question in words, and every answer with what lies there if it is right.
import { h, s } from './dom.js';
import { has, language, t } from './i18n.js';
import { dieName, drawDie, squareName } from './dice.js';
import { inWords, plainly } from './moves.js';

const most = 6; // small pictures of one answer

const empty = () => s('svg', { viewBox: '0 0 40 40', class: 'die none', 'aria-hidden': 'true' }, s('rect', { x: 3, y: 3, width: 34, height: 34, rx: 8 }));

/** lies is a square with what lies there. */
const lies = ({ square, color, face }) => h('span', { class: 'lies' }, color ? drawDie(color, face) : empty(), h('small', {}, squareName(...square)));

/** diceOf are the dice that acts are about, in games without squares. */
const diceOf = (events) => events.flatMap(({ move }) => [...(move?.dice ?? move?.set ?? []), move?.die].filter(Boolean))
  .map((die) => (typeof die === 'number' ? drawDie(null, die) : drawDie(die.slice(0, -1), Number(die.at(-1)))));

/** pictures of an answer: the squares on which the answers differ, or the dice it is about. */
function pictures({ squares, events }) {
  const all = squares ? squares.map(lies) : diceOf(events);
  return all.length ? h('span', { class: 'pictures', 'aria-hidden': 'true' }, all.slice(0, most), all.length > most ? '…' : null) : null;
}

const acts = (events) => events.map(inWords).join(', ');

/** words are an answer in the page's language, with players' names. */
function words({ choice, back, events }) {
  const known = has(`said.${choice}`) ? t(`said.${choice}`) : '';
  if (known) return events.length ? `${known}: ${acts(events)}` : known;
  if (events.length) return (back ? `${t('said.taken back')}, ` : '') + acts(events);
  if (back) return t('said.taken back');
  const [, what, color, face, where] = /^(nothing|([a-z]+) (\d))(?: on ([a-e][1-5]))?$/.exec(choice) ?? [];
  const die = what && (color ? dieName(color, Number(face)) : t('said.nothing'));
  return die ? (where ? t('said.on', { die, to: where }) : die) : plainly(choice);
}

/** answers are the buttons of an open doubt; onAnswer(choice) is called for the one that is tapped. */
export function answers({ choices, possible = [] }, onAnswer) {
  const of = new Map(possible.map((each) => [each.choice, each]));
  return choices.map((choice) => {
    const meant = of.get(choice) ?? { choice, events: [] };
    return h('button', { type: 'button', class: 'option', 'data-choice': choice, onclick: () => onAnswer(choice) }, pictures(meant), h('span', {}, words(meant)));
  });
}

/** question is what is asked. The server asks in English, with acts in notation. */
export function question({ ask, possible = [] }) {
  const told = possible.filter(({ events }) => events.length);
  if (told.length > 1 || (language !== 'en' && possible.length)) return t('ask.happened');
  let text = ask;
  for (const { acts: written, events } of told) written.forEach((act, i) => { text = text.replace(act, inWords(events[i])); });
  return plainly(text.replace(/ \([A-Z]{2}-[A-Z0-9-]+\)/g, ''));
}
