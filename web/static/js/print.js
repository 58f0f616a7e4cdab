// What can be printed: each sheet as it will look, and its PDF and SVG.
import { $, h } from './dom.js';
import { language, loadWords, otherLanguage, t } from './i18n.js';
import { showMenu } from './nav.js';
import { root } from './root.js';
import { nextTheme } from './theme.js';

const games = { 'fromage-a-trois': [3, 5], dicecreams: [1, 4], 'dessert-dice': [2, 4], 'dice-box': [2, 4], 'dice-flick': [2, 4] };
const zoned = ['fromage-a-trois', 'dicecreams'];

/** sheets are the kinds and what each depends on. */
const sheets = {
  board: ['square'],
  zones: ['game', 'players'],
  reference: ['game'],
  notepad: ['pad'],
  arena: [],
};

/** first are the sheets that a game is played with; the others come after them. */
const first = { 'dice-flick': ['arena', 'notepad', 'reference'], 'dessert-dice': ['board', 'reference'], 'dice-box': ['board', 'reference'] };

const option = (value, text) => h('option', { value }, text);

function address(kind, format) {
  const query = new URLSearchParams({ paper: $('paper').value, language });
  const players = Number($('players').value);
  for (const need of sheets[kind]) {
    if (need === 'square') query.set('square', $('square').value);
    if (need === 'game') query.set('game', $('game').value);
    if (need === 'players') query.set('players', players);
    if (need === 'pad') query.set('players', Math.min(Math.max(players, 2), 4));
  }
  return `${root}/api/v1/print/${kind}.${format}?${query}`;
}

function show() {
  const game = $('game').value;
  const kinds = [...new Set([...(first[game] ?? ['zones', 'reference']), ...Object.keys(sheets)])].filter((kind) => kind !== 'zones' || zoned.includes(game));
  $('sheets').replaceChildren(...kinds.map((kind) => h('li', { class: 'sheet' },
    h('div', { class: 'page' }, h('img', { src: address(kind, 'svg'), alt: t(`print.${kind}`) })),
    h('h2', {}, t(`print.${kind}`)),
    h('div', { class: 'formats' },
      h('a', { class: 'button main', href: address(kind, 'pdf'), 'aria-label': t('print.as', { sheet: t(`print.${kind}`), format: 'PDF' }) }, 'PDF'),
      h('a', { class: 'button', href: address(kind, 'svg'), download: `diceref-${kind}.svg`, 'aria-label': t('print.as', { sheet: t(`print.${kind}`), format: 'SVG' }) }, 'SVG')))));
}

/** showPlayers offers the numbers of players of the game; before is the one to keep if it can be. */
function showPlayers(before = Number($('players').value)) {
  const [least, most] = games[$('game').value];
  $('players').replaceChildren(...Array.from({ length: most - least + 1 }, (_, i) => option(least + i, String(least + i))));
  $('players').value = String(Math.min(Math.max(before || most, least), most));
}

/** played is the match in play, whose game and players are chosen first; null where nothing tells. */
async function played() {
  const answer = await fetch(`${root}/api/v1/state`).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

async function main() {
  const [match] = await Promise.all([played(), loadWords()]);
  showMenu();
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', nextTheme);
  $('paper').replaceChildren(option('a4', 'A4'), option('letter', 'Letter'));
  if (/^en-(US|CA)/.test(navigator.language)) $('paper').value = 'letter';
  $('game').replaceChildren(...Object.keys(games).map((game) => option(game, t(`game.${game}`))));
  $('square').replaceChildren(...[18, 19, 20, 21, 22, 23, 24, 25, 26].map((mm) => option(mm, t('print.mm', { mm }))));
  $('square').value = '21';
  if (games[match?.game]) $('game').value = match.game;
  showPlayers(match?.players.length);
  $('game').addEventListener('change', () => showPlayers());
  for (const id of ['paper', 'game', 'players', 'square']) $(id).addEventListener('change', show);
  show();
}

main();
