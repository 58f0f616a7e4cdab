// How a phone comes to trust this table: drawn step by step, and seen when it is done.
import './api.js'; // keeps the table's code from the address
import { $, h, s, setText } from './dom.js';
import { loadWords, otherLanguage, t } from './i18n.js';
import { address, trusts } from './secure.js';
import { showMenu } from './nav.js';
import { nextTheme } from './theme.js';

const rows = (ys) => ys.map((y) => s('rect', { class: 'row', x: 20, y, width: 60, height: 13, rx: 3 }));
const finger = (x, y) => s('circle', { class: 'finger', cx: x, cy: y, r: 10 });
const tapped = (x, y, width, height = 15) => s('rect', { class: 'tap', x, y, width, height, rx: 4 });
const gear = (x, y) => s('path', { class: 'ink', transform: `translate(${x} ${y})`, d: 'M0-5.5a5.5 5.5 0 1 0 .01 0zM0-10v4.5M0 10V5.5M-10 0h4.5M10 0H5.5M-7-7l3.2 3.2M7 7 3.8 3.8M-7 7l3.2-3.2M7-7 3.8-3.8' });

/** pictures are what a phone shows at each step, with what to tap. */
const pictures = {
  download: () => [s('path', { class: 'ink', d: 'M50 28v26m-11-10 11 11 11-11M34 66h32' }), tapped(24, 92, 52, 20), s('path', { class: 'on', d: 'm42 102 6 6 10-12' }), finger(50, 102)],
  settings: () => [gear(50, 32), tapped(20, 52, 60), s('path', { class: 'on', d: 'm70 56 4 3.5-4 3.5' }), ...rows([74, 92, 110]), finger(70, 60)],
  install: () => [s('rect', { class: 'card', x: 18, y: 34, width: 64, height: 88, rx: 5 }), s('path', { class: 'ink', d: 'M50 62v22m-11-11h22' }), s('circle', { class: 'ink', cx: 50, cy: 73, r: 18 }), tapped(54, 20, 28), finger(68, 27)],
  switch: () => [...rows([26, 48, 70]), s('rect', { class: 'tap', x: 56, y: 92, width: 24, height: 14, rx: 7 }), s('circle', { cx: 73, cy: 99, r: 5, class: 'card' }), finger(68, 99)],
  search: () => [gear(50, 32), s('rect', { class: 'row', x: 20, y: 52, width: 60, height: 15, rx: 7 }), s('circle', { class: 'ink', cx: 29, cy: 58.5, r: 3.5 }), s('path', { class: 'ink', d: 'm32 61.5 3 3' }), tapped(20, 76, 60), ...rows([97, 114]), finger(50, 83)],
  anyway: () => [s('path', { class: 'ink', d: 'M50 26 74 66H26zM50 40v12m0 6v1' }), ...rows([78]), tapped(20, 104, 40), finger(40, 111)],
  file: () => [...rows([24, 42]), tapped(20, 60, 60, 18), s('path', { class: 'on', d: 'M28 64h7l4 4v7H28z' }), ...rows([84, 102]), finger(62, 69)],
  camera: () => [s('path', { class: 'ink', d: 'M24 52h12l5-10h18l5 10h12v40H24z' }), s('circle', { class: 'ink', cx: 50, cy: 71, r: 12 }), tapped(58, 96, 26, 20), s('path', { class: 'on', d: 'm64 106 5 5 9-10' })],
};

function drawing(name) {
  return s('svg', { class: 'drawing', viewBox: '0 0 100 144', 'aria-hidden': 'true' },
    s('rect', { class: 'body', x: 12, y: 6, width: 76, height: 132, rx: 11 }), pictures[name]());
}

const roads = {
  ios: ['download', 'settings', 'install', 'switch', 'camera'],
  android: ['download', 'search', 'anyway', 'file', 'camera'],
};

function showRoad(name) {
  for (const each of Object.keys(roads)) $(each).setAttribute('aria-pressed', String(each === name));
  $('steps').replaceChildren(...roads[name].map((step, i) => h('li', {},
    drawing(step),
    h('p', {}, h('span', { class: 'number' }, `${i + 1}. `), t(`trust.${name}.${step}`)),
    step === 'download' ? h('a', { class: 'button main', id: 'download', href: '/trust/diceref.crt' }, t('trust.download')) : null)));
}

async function watch() {
  const ok = await trusts();
  $('lamp').dataset.state = ok ? 'trusted' : 'not-yet';
  setText($('lamp-text'), t(ok ? 'trust.yes' : 'trust.not-yet'));
  $('ready').hidden = !ok;
  $('ready').href = address('/camera');
  if (!ok) setTimeout(watch, document.hidden ? 8000 : 3000);
}

async function main() {
  await loadWords();
  showMenu();
  setText($('lamp-text'), t('trust.checking'));
  for (const name of Object.keys(roads)) $(name).addEventListener('click', () => showRoad(name));
  showRoad(/Android/.test(navigator.userAgent) ? 'android' : 'ios');
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', nextTheme);
  await watch();
}

main();
