// Acts in words, and the list of them.
import { h, s } from './dom.js';
import { has, language, reasons, t } from './i18n.js';
import { dieName, drawDie, squareName } from './dice.js';
import { token } from './players.js';
import { translator } from './reasons.js';

const square = (at) => (Array.isArray(at) && typeof at[0] === 'number' ? squareName(...at) : '');

const word = (text) => {
  if (/^[a-z]+\?$/.test(text ?? '')) return `${t(`color.${text.slice(0, -1)}`)} ?`; // its face is not known
  return /^[a-z]+[1-6]$/.test(text ?? '') ? dieName(text.slice(0, -1), Number(text.at(-1))) : text ?? '';
};

/** details are what only some games' moves have, in words. */
function details(move) {
  const [card, spot] = Array.isArray(move.to) && typeof move.to[0] === 'string' ? move.to : [move.card ?? ''];
  return {
    dice: (move.dice ?? move.set ?? []).map((die) => (typeof die === 'string' ? word(die) : die)).join(', '), count: move.points ?? move.sprinkles ?? 0,
    what: word(move.die), card: spot === undefined ? card : t('word.spot', { card, spot: spot + 1 }), from: typeof move.from === 'string' ? seatOf(move.from) : square(move.from),
    names: (move.customers ?? []).join(', '), color: move.color ? t(`color.${move.color}`) : '',
  };
}

/** inWords tells an event in the page's language. */
export function inWords(event) {
  const values = { players: event.players ? new Intl.ListFormat(language).format(event.players) : '', player: event.player ?? '', round: event.round, score: event.score, ask: event.ask ?? '' };
  const { move } = event;
  if (event.type === 'move' && move) {
    Object.assign(values, { die: dieName(move.color, move.face), to: square(move.to), from: square(move.from) });
    const how = move.points !== undefined ? '.points' : move.action === 'set' && !Array.isArray(move.to) ? '.aside'
      : ['serve', 'second'].includes(move.action) && move.customers?.[0] === 'none' ? '.none' : '';
    const key = event.player ? `move.${move.action}${how}` : `nature.${move.action}`;
    if (has(key)) return t(key, { ...values, ...details(move) });
    return event.text || `${event.player}: ${move.action}`;
  }
  if (event.corrects && event.player && move) return t('event.correct.act', { act: inWords({ ...event, type: 'move', corrects: 0 }) });
  if (event.type === 'correct' && event.round) return t(event.score === undefined ? 'event.correct.empty' : 'event.correct.score', values);
  if (event.type === 'correct' && !event.to) return t('event.correct.move');
  if (event.type === 'correct' && !event.color) return t('event.correct.gone', { to: square(event.to) });
  if (event.type === 'flick' || event.type === 'correct') Object.assign(values, { die: dieName(event.color, event.face), to: square(event.to) });
  if (event.type === 'end') {
    if (!event.winners?.length) return t(event.over !== false ? 'event.end.cards' : event.by === 'player' ? 'event.end.stopped' : 'event.end.open');
    return t(event.winners.length > 1 ? 'event.end.shared' : 'event.end', { players: new Intl.ListFormat(language).format(event.winners) });
  }
  if (event.question) return capital(sentence(event.question)) || event.ask;
  const key = `event.${event.type}`;
  return event.text && !has(key) ? event.text : t(key, values);
}

/** told is one value of a phrase in words. */
function told(name, value, { code }) {
  if (name === 'color') return t(`color.${value}`);
  if (name === 'say') return has(`say.${value}`) ? t(`say.${value}`) : value;
  if (name === 'why' && !value?.kind) return why({ code, why: value });
  if (Array.isArray(value)) return typeof value[0] === 'number' ? squareName(...value) : value.map((each) => told('', each, {})).join(', ');
  if (value?.kind) return sentence(value);
  if (value?.zone) return value.player ? t('doubt.place', value) : t(`zone.${value.zone}`);
  if (value?.events) return [value.back ? t('said.taken back') : '', ...value.events.map(inWords)].filter(Boolean).join(', ');
  return typeof value === 'object' ? dieName(value.color, value.face) : value;
}

/** sentence says a question, an answer or a part of one in the page's language; '' where it has no words of its own. */
export function sentence(phrase) {
  const key = `doubt.${phrase?.kind}`;
  return has(key) ? t(key, Object.fromEntries(Object.entries(phrase).map(([name, value]) => [name, told(name, value, phrase)]))) : '';
}

/** capital begins a sentence; squares stay as they are. */
export const capital = (text) => (/^[a-e][1-5]\b/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

const boards = {
  'dessert-dice': { R: 'red', Y: 'yellow', G: 'green', P: 'purple', K: 'black' },
  'dice-box': { R: 'red', Y: 'yellow', B: 'blue', W: 'white', S: 'seed' },
};
let seats = [], game = '';

/** seatedAt tells who plays what, for reasons that name seats by letter and dice by sign. */
export function seatedAt(players, played) {
  seats = players;
  game = played;
}

const seatOf = (letter) => seats['ABCDEFGH'.indexOf(letter)] ?? letter;

/** plainly writes a rulebook's reason as people speak: names instead of letters, "red 4" instead of R4. */
export const plainly = (text) => capital(inNames(text));

function inNames(text) {
  const signs = boards[game];
  const named = text.replace(/(^|[.:,] |\bof |\bnot |\bto )([A-H])(?='s\b| (?:has|had|must|may|does|just|gave|takes|puts|draws|says|holds|places|acted|is|was)\b|[.,]|$)/g, (_, before, letter) => before + seatOf(letter))
    .replace(/\b([Pp]layer|by|turn of|from) ([A-H])\b/g, (_, before, letter) => (before.toLowerCase() === 'player' ? seatOf(letter) : `${before} ${seatOf(letter)}`))
    .replace(/\b([A-H])'s\b/g, (_, letter) => `${seatOf(letter)}'s`);
  if (!signs) return named.replace(/\b(green|blue|yellow|black|orange)([1-6])\b/g, (_, color, face) => dieName(color, face));
  return named.replace(/\b([RYGPKBWS])([1-6])\b/g, (word_, letter, face) => (signs[letter] === 'seed' ? t('die', { color: t('word.seed'), face }) : signs[letter] ? dieName(signs[letter], face) : word_));
}

/** leaf is a part of a reason: a seat, a color, a die, or what is the same in every language. */
function leaf(text) {
  if (/^[A-H]$/.test(text)) return seatOf(text);
  if (has(`color.${text}`)) return t(`color.${text}`);
  return /^[a-z]{3,}[1-6?]$/.test(text) ? word(text) : inNames(text);
}

let translate;

/** why is the reason of an illegal act in this language: all of it, or else what its code means. */
export function why(event) {
  const key = `why.${event.code}`;
  if (language === 'en' || !event.why) return plainly(event.why ?? '');
  translate ??= translator(reasons, leaf);
  return capital(translate(event.why) || t(has(key) ? key : 'why.other'));
}

/** ruling is what the rules say against an act: a breach, or only that it may have been misread. */
export function ruling(event) {
  if (event.legal === false) return why(event);
  return event.open ? t('misread.maybe', { why: why({ code: event.open, why: event.why }) }) : '';
}

/** kind is what an event means for the eye: good, bad, ask or plain. */
export function kind(event) {
  if (event.undone) return 'undone';
  if (event.type === 'doubt') return 'ask';
  if (event.legal === false) return 'bad';
  return event.legal === true ? 'good' : 'plain';
}

const marks = {
  good: 'M5 12.5 10 17.5 19.5 7',
  bad: 'M6.5 6.5 17.5 17.5M17.5 6.5 6.5 17.5',
  ask: 'M8.5 9a3.6 3.6 0 1 1 5.2 3.2c-1.2.6-1.7 1.3-1.7 2.5M12 18.4v.2',
  plain: 'M7 12h10',
  undone: 'M9.5 7 5.5 11l4 4M6 11h8a4 4 0 0 1 0 8h-2',
};

/** sign is the mark of a verdict: its shape tells it as well as its color. */
export const sign = (name) => s('svg', { viewBox: '0 0 24 24', class: `sign ${name}`, role: 'img', 'aria-label': t(`sign.${name}`) },
  name === 'bad' ? s('path', { class: 'plate', d: 'M8 1.5h8L22.5 8v8L16 22.5H8L1.5 16V8z' })
    : name === 'ask' ? s('path', { class: 'plate', d: 'M12 1 23 12 12 23 1 12z' })
      : s('circle', { class: 'plate', cx: 12, cy: 12, r: 11 }),
  s('path', { class: 'stroke', d: marks[name] }));

/** dieOf is the die that an event is about, if any. */
export function dieOf(event) {
  const about = event.move ?? event;
  return about.color ? drawDie(about.color, about.face) : null;
}

/** place is a little map of the board: where a die went, and from where. */
export function place(event) {
  const to = event.move?.to ?? event.to;
  const from = square(event.move?.from) ? event.move.from : null;
  if (!square(to) || to.some((v) => v < 0 || v > 4)) return null;
  const cell = (at, name) => s('rect', { x: at[1] * 10 + 1, y: at[0] * 10 + 1, width: 8, height: 8, rx: 2, class: name });
  const cells = [];
  for (let i = 0; i < 25; i++) cells.push(cell([Math.floor(i / 5), i % 5], 'cell'));
  return s('svg', { viewBox: '0 0 50 50', class: `place ${kind(event)}`, 'aria-hidden': 'true' },
    cells, from ? cell(from, 'from') : null, cell(to, 'to'));
}

/** MoveList is the list of what happened, the newest first. */
export class MoveList {
  /** onTap(event) is called for a row that is tapped, if mends(event) says that it can be put right. */
  constructor(list, mends, onTap) {
    Object.assign(this, { mends, onTap });
    this.list = list;
    this.rows = new Map();
  }

  clear() {
    this.rows.clear();
    this.list.replaceChildren();
  }

  add(event, seat) {
    if (event.type === 'doubt') return; // asked where it is to be answered; no act
    const words = inWords(event), because = ruling(event), reason = because ? h('small', { class: 'reason' }, because) : null;
    const row = h('li', { class: kind(event) },
      h('span', { class: 'who' }, seat >= 0 ? token(seat) : null),
      this.mends?.(event)
        ? h('button', { type: 'button', class: 'what', 'aria-label': `${because ? `${words} ${because}` : words}. ${t('correct.move')}`, onclick: () => this.onTap(event) }, words, ' ', reason)
        : h('span', { class: 'what' }, words, ' ', reason),
      h('span', { class: 'icon' }, dieOf(event) ?? (event.legal === undefined ? null : sign(kind(event)))));
    this.rows.set(event.seq, row);
    this.rows.get(event.corrects)?.classList.add('corrected');
    this.list.prepend(row);
  }

  undo(undone) {
    for (const [seq, row] of this.rows) row.classList.toggle('undone', undone.has(seq));
  }
}
