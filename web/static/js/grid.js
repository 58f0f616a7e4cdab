// A board of squares that can be tapped, and the dice beside it.
import { h, s } from './dom.js';
import { t } from './i18n.js';
import { dieName, drawDie, squareName } from './dice.js';

const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -5, ArrowDown: 5 };

/** walk moves the keyboard's focus from square to square. */
function walk(event) {
  const from = Number(event.target.dataset.at), step = steps[event.key];
  if (step === undefined || Number.isNaN(from)) return;
  const to = from + step;
  if (to < 0 || to > 24 || (Math.abs(step) === 1 && Math.floor(to / 5) !== Math.floor(from / 5))) return;
  event.preventDefault();
  event.currentTarget.querySelector(`[data-at="${to}"]`)?.focus();
}

/**
 * grid is the board: dice by index (color, face), marks by index (class names),
 * under by index (what shows on an empty square). Without onTap nothing can be tapped.
 */
export function grid({ dice, marks = {}, under = {}, onTap }) {
  const cells = Array.from({ length: 25 }, (_, i) => {
    const row = Math.floor(i / 5), col = i % 5, die = dice[i];
    const what = die ? dieName(die.color, die.face) : t('square.empty');
    const label = t('square.label', { square: squareName(row, col), what: [what, die ? '' : under[i]?.dataset.fits, marks[i]?.includes('lit') ? t('square.lit') : ''].filter(Boolean).join(', ') });
    const edge = row === 0 || col === 0;
    const inside = [edge ? h('small', { 'aria-hidden': 'true' }, squareName(row, col)) : null, die ? drawDie(die.color, die.face) : under[i]];
    const name = ['square', ...(marks[i] ?? [])].join(' ');
    if (!onTap) return h('div', { class: name, role: 'img', 'aria-label': label }, inside);
    return h('button', { type: 'button', class: name, 'data-at': i, 'data-key': `at${i}`, 'aria-label': label, onclick: () => onTap(i, die) }, inside);
  });
  return h('div', { class: 'grid5', role: 'group', 'aria-label': t('picture.board'), onkeydown: walk }, cells);
}

/** dieButton is a die to be tapped; with a count where there are several alike. */
export function dieButton({ color, face, count, key, pressed, onTap, off, faint, label, wanted, act }) {
  const name = label ?? dieName(color, face);
  const inside = [drawDie(color, face), count > 1 || count === 0 ? h('b', { class: 'count' }, String(count)) : null];
  if (!onTap) return h('span', { class: 'tapdie', role: 'img', 'aria-label': name }, inside);
  return h('button', {
    type: 'button', class: `tapdie${faint ? ' faint' : ''}${wanted ? ' wanted' : ''}`, 'data-key': key ?? `die-${color}-${face}`, 'data-act': act, 'aria-label': count > 1 ? t('die.many', { die: name, count }) : name,
    'aria-pressed': pressed === undefined ? null : String(Boolean(pressed)), disabled: Boolean(off), onclick: onTap,
  }, inside);
}

/** kinds counts dice that look alike: [{color, face, count}] in the order given. */
export function kinds(dice) {
  const known = new Map();
  for (const die of dice) {
    const key = `${die.color} ${die.face}`;
    if (known.has(key)) known.get(key).count++;
    else known.set(key, { ...die, count: 1 });
  }
  return [...known.values()];
}

/** tray is a row of what can be tapped. */
export const tray = (label, ...children) => h('div', { class: 'tray', role: 'group', 'aria-label': label }, children);

const icons = {
  roll: 'M4 8.5 12 4l8 4.5v8L12 21l-8-4.5zM4 8.5l8 4.5 8-4.5M12 13v8',
  ok: 'M5 12.5 10 17.5 19.5 7',
  no: 'M6.5 6.5 17.5 17.5M17.5 6.5 6.5 17.5',
  off: 'M4 12h11m-4-4.5 4.5 4.5-4.5 4.5M19.5 5v14',
  take: 'M12 4v11m-4.5-4 4.5 4.5 4.5-4.5M5 20h14',
  star: 'm12 3 2.8 5.8 6.2.9-4.5 4.4 1.1 6.2-5.6-3-5.6 3 1.1-6.2-4.5-4.4 6.2-.9z',
  next: 'M5 5v14l10-7zM18.5 5v14',
  sun: 'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM12 1.5v3M12 19.5v3M1.5 12h3M19.5 12h3M4.6 4.6l2 2M17.4 17.4l2 2M4.6 19.4l2-2M17.4 6.6l2-2',
  bulb: 'M9 18h6M10 21h4M8.5 15a6 6 0 1 1 7 0c-.7.5-1 1.2-1 2h-5c0-.8-.3-1.5-1-2z',
  back: 'M9 6 4 11l5 5M4.5 11H15a5 5 0 0 1 0 10h-3',
};

/** icon is a sign on a button. */
export const icon = (name) => s('svg', { viewBox: '0 0 24 24', class: 'ico', 'aria-hidden': 'true' }, s('path', { d: icons[name] }));

/** doing is a button for something to do; more.act is the act that it plays, in the game's notation. */
export const doing = (sign, text, onTap, more = {}) => h('button', { type: 'button', class: more.main ? 'main' : null, 'data-key': more.key ?? `do-${text}`, 'data-act': more.act, onclick: onTap }, sign ? icon(sign) : null, h('span', {}, text));

/** at is the index of a square in the lists above, [row, col] what the server says. */
export const at = ([row, col]) => row * 5 + col;

/** nameOf is the square of an index as players say it. */
export const nameOf = (i) => squareName(Math.floor(i / 5), i % 5);
