// What a stream can show of the table: the overlay as it is wanted, with its address and how it looks.
import { $, h, setText } from './dom.js';
import { loadWords, otherLanguage, t } from './i18n.js';
import { showMenu } from './nav.js';
import { root } from './root.js';
import { nextTheme } from './theme.js';
import { address, parts, scales, sides } from './overlay.js';

const shown = () => parts.filter((part) => $(`part-${part}`).checked);

function show() {
  const path = address({ shown: shown(), side: $('side').value, scale: Number($('scale').value) });
  $('address').value = location.origin + path;
  $('open').href = path;
  $('copied').textContent = '';
  if ($('preview').getAttribute('src') !== path) $('preview').src = path;
}

/** copy puts the address where it can be pasted from; browsers allow that on trusted pages, others have it selected. */
async function copy() {
  $('address').select();
  try {
    await navigator.clipboard.writeText($('address').value);
  } catch {
    if (!document.execCommand('copy')) return;
  }
  setText($('copied'), t('stream.copied'));
}

async function main() {
  await loadWords();
  showMenu();
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', nextTheme);
  $('parts').append(...parts.map((part) => h('label', {}, h('input', { type: 'checkbox', id: `part-${part}`, checked: true, onchange: show }), h('span', {}, t(`stream.${part}`)))));
  $('side').replaceChildren(...sides.map((side) => h('option', { value: side }, t(`stream.${side}`))));
  $('scale').replaceChildren(...scales.map((scale) => h('option', { value: scale }, t('stream.percent', { scale }))));
  $('scale').value = '100';
  for (const id of ['side', 'scale']) $(id).addEventListener('change', show);
  $('tv-address').textContent = `${location.origin}${root}/tv?stream`;
  $('copy').addEventListener('click', copy);
  show();
}

main();
