// The sets of dice that there are: go on with one, begin another, take one in.
import { $, h, setText } from './dom.js';
import { t } from './i18n.js';
import { send } from './api.js';
import { told } from './refused.js';
import { root } from './root.js';

const games = ['dessert-dice', 'dice-box', 'fromage-a-trois', 'dicecreams', 'dice-flick', 'any'];

export const address = (set, what = '') => `${root}/api/v1/dice/${encodeURIComponent(set)}${what}`;

export function complain(where, problem) {
  setText(where, problem ? told(problem) : '');
  where.hidden = !problem;
}

/** once a name is typed, it stays, whatever game is chosen. */
let typed = false;

function proposeName(sets) {
  if (typed) return;
  const name = $('game').value === 'any' ? t('own.my-dice') : t(`game.${$('game').value}`).replace(/[^\p{L}\p{N} -]/gu, '');
  let free = name;
  for (let n = 2; sets.some((set) => set.name === free); n++) free = `${name} ${n}`;
  $('name').value = free;
}

/** remover deletes a set when it is tapped twice: the first tap asks. */
function remover(set) {
  let asked = false;
  const node = h('button', { type: 'button', class: 'remove', 'aria-label': t('own.delete-set', { name: set.name }), onclick: async () => {
    if (!asked) {
      asked = true;
      node.classList.add('sure');
      setText(node, t('own.delete-sure'));
      node.setAttribute('aria-label', t('own.delete-sure-set', { name: set.name }));
      return;
    }
    try {
      complain($('shelf-problem'), null);
      await send(address(set.name), { method: 'DELETE' });
      node.closest('li').remove();
      $('sets-title').hidden = !$('sets').childElementCount;
      $('name').focus();
    } catch (problem) {
      complain($('shelf-problem'), problem);
    }
  } }, t('own.delete'));
  return node;
}

const row = (set, open) => h('li', {},
  h('button', { type: 'button', class: 'go', disabled: !set.game, onclick: () => open(set.name, set.game) }, h('b', {}, set.name),
    h('small', {}, set.game ? [t(`game.${set.game}`), t('own.pictures', { n: set.pictures }), ...(set.unnamed ? [t('own.unnamed', { n: set.unnamed })] : [])].join(' · ') : t('own.damaged'))),
  remover(set));

/** showShelf shows what there is; open(name, game) goes on. */
export function showShelf({ sets, game }, open) {
  $('game').replaceChildren(...games.map((each) => h('option', { value: each, selected: each === game }, t(`game.${each}`))));
  $('sets-title').hidden = sets.length === 0;
  $('sets').replaceChildren(...sets.map((set) => row(set, open)));
  $('game').onchange = () => proposeName(sets);
  $('name').oninput = () => { typed = true; };
  $('new').onsubmit = (event) => {
    event.preventDefault();
    open($('name').value.trim(), $('game').value);
  };
  $('import').onchange = async (event) => {
    const [file] = event.target.files;
    event.target.value = '';
    if (!file) return;
    const name = file.name.replace(/\.json$/i, '').slice(0, 40);
    try {
      complain($('shelf-problem'), null);
      await send(address(name, '/import'), { headers: { 'Content-Type': 'application/json' }, body: file });
      location.hash = encodeURIComponent(name);
    } catch (problem) {
      complain($('shelf-problem'), problem);
    }
  };
  proposeName(sets);
}
