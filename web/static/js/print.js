// What can be printed: each sheet as it will look, and its PDF and SVG.
import { $, h } from './dom.js';
import { language, loadWords, otherLanguage, t } from './i18n.js';
import { showMenu } from './nav.js';
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
  return `/api/v1/print/${kind}.${format}?${query}`;
}

function show() {
  const kinds = Object.keys(sheets).filter((kind) => kind !== 'zones' || zoned.includes($('game').value));
  $('sheets').replaceChildren(...kinds.map((kind) => h('li', { class: 'sheet' },
    h('div', { class: 'page' }, h('img', { src: address(kind, 'svg'), alt: t(`print.${kind}`) })),
    h('h2', {}, t(`print.${kind}`)),
    h('div', { class: 'formats' },
      h('a', { class: 'button main', href: address(kind, 'pdf'), 'aria-label': t('print.as', { sheet: t(`print.${kind}`), format: 'PDF' }) }, 'PDF'),
      h('a', { class: 'button', href: address(kind, 'svg'), download: `diceref-${kind}.svg`, 'aria-label': t('print.as', { sheet: t(`print.${kind}`), format: 'SVG' }) }, 'SVG')))));
}

function showPlayers() {
  const [least, most] = games[$('game').value];
  const before = Number($('players').value) || most;
  $('players').replaceChildren(...Array.from({ length: most - least + 1 }, (_, i) => option(least + i, String(least + i))));
  $('players').value = String(Math.min(Math.max(before, least), most));
}

async function main() {
  await loadWords();
  showMenu();
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', nextTheme);
  $('paper').replaceChildren(option('a4', 'A4'), option('letter', 'Letter'));
  if (/^en-(US|CA)/.test(navigator.language)) $('paper').value = 'letter';
  $('game').replaceChildren(...Object.keys(games).map((game) => option(game, t(`game.${game}`))));
  $('square').replaceChildren(...[18, 19, 20, 21, 22, 23, 24, 25, 26].map((mm) => option(mm, t('print.mm', { mm }))));
  $('square').value = '21';
  showPlayers();
  $('game').addEventListener('change', showPlayers);
  for (const id of ['paper', 'game', 'players', 'square']) $(id).addEventListener('change', show);
  show();
}

main();
