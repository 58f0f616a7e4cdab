// A doubt: the question in words, and every answer with what lies there if it is right.
import { h, s } from './dom.js';
import { has, t } from './i18n.js';
import { drawDie, squareName } from './dice.js';
import { capital, inWords, plainly, sentence } from './moves.js';

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

/** words are an answer in the page's language, with players' names. */
function words({ choice, back, events, answer }) {
  const told = [back ? t('said.taken back') : '', ...events.map(inWords)].filter(Boolean).join(', ');
  const own = sentence(answer) || (has(`said.${choice}`) ? t(`said.${choice}`) : '');
  if (own) return told && answer?.kind === 'yes' ? `${own}: ${told}` : own;
  return told || (answer?.kind === 'acts' ? t('doubt.nothing-changed') : plainly(choice));
}

/** answers are the buttons of an open doubt; onAnswer(what to declare) is called for the one that is tapped. */
export function answers({ ask, choices, possible = [] }, onAnswer) {
  const of = new Map(possible.map((each) => [each.choice, each]));
  return choices.map((choice) => {
    const meant = of.get(choice) ?? { choice, events: [] };
    return h('button', { type: 'button', class: 'option', 'data-choice': choice, onclick: () => onAnswer({ say: 'answer', ask, choice }) }, pictures(meant), h('span', {}, words(meant)));
  });
}

/** question is what is asked, in the page's language. */
export const question = ({ ask, question: asked }) => capital(sentence(asked)) || plainly(ask);
