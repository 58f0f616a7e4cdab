// Dice of one's own, shown once: throw them, say what each kind of face shows, throw again.
import { $, h, setText } from './dom.js';
import { loadWords, otherLanguage, t } from './i18n.js';
import { Refused, send } from './api.js';
import { below, root } from './root.js';
import { nextTheme } from './theme.js';
import { showMenu } from './nav.js';
import { showPictures } from './live.js';
import { framed } from './held-card.js';
import { Group, picture } from './own-group.js';
import { shown } from './own-names.js';
import { address, complain, showShelf } from './own-shelf.js';

let state = null; // the set that is shown; null: none yet
let asked = ''; // the group that was tapped; empty: the first without a name
let joining = ''; // the group for which another that shows the same is looked for
let camera = false;
let group;

const json = (body) => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

async function get(path) {
  let answer;
  try {
    answer = await fetch(path);
  } catch {
    throw new Refused('offline', t('error.offline'));
  }
  const body = await answer.json();
  if (!answer.ok) throw new Refused(body.code, body.error, body);
  return body;
}

/** ask has the server do something with the set, and shows what it is then. What somebody else has changed is read again. */
async function ask(what, options) {
  if (document.body.classList.contains('busy')) return false;
  document.body.classList.add('busy');
  complain($('problem'), null);
  try {
    state = await send(address(state.set, what), options);
    return true;
  } catch (problem) {
    complain($('problem'), problem);
    if (problem.code === 'dice-stale') state = await get(address(state.set)).catch(() => state);
    return false;
  } finally {
    document.body.classList.remove('busy');
    show();
  }
}

async function act(change) {
  const letter = current()?.group;
  const named = change.do === 'name' && !current().name;
  if (await ask('/change', json({ session: state.session, group: letter, ...change })) && (named || change.do !== 'name')) asked = '';
  joining = '';
  show();
}

const open = () => state.groups.filter((each) => !each.name);

/** current is the group that is asked about. */
const current = () => state.groups.find((each) => each.group === asked) ?? open()[0] ?? null;

/** look takes a throw: what the camera sees, or a photo. */
async function look(photo) {
  asked = joining = '';
  setText($('say'), t('own.looking'));
  await ask('/throw', photo ? { headers: { 'Content-Type': photo.type || 'application/octet-stream' }, body: photo } : {});
}

const tile = (each) => h('li', {}, h('button', {
  type: 'button', 'data-group': each.group, class: each.name ? null : 'open', 'aria-current': !joining && each === current() ? 'true' : null,
  onclick: () => tapped(each),
}, picture(state.set, each.pictures[0]), h('span', {}, each.name ? shown(each.name) : '?')));

function tapped(each) {
  if (joining && joining !== each.group) {
    asked = each.group;
    act({ do: 'merge', others: [joining] });
    return;
  }
  joining = '';
  asked = each.group;
  show();
}

/** say is what is to be done next. */
function say() {
  if (joining) return t('own.merge-hint');
  if (!state.groups.length) return t(camera ? 'own.throw' : 'own.throw-photo');
  if (open().length) return t('own.left', { n: open().length });
  if (state.missing.length) return t('own.throw-again');
  return t('own.complete');
}

/** card is one secret card: a tap takes what is in the frame for it. */
const card = ({ name, picture: seen }) => h('button', {
  type: 'button', 'data-card': name,
  onclick: () => ask(`/card?${new URLSearchParams({ session: state.session, shows: name })}`, {}),
}, seen ? picture(state.set, seen) : null, h('span', {}, shown(name)));

function show() {
  $('shelf').hidden = state !== null;
  $('showing').hidden = $('foot').hidden = state === null;
  if (!state) return;
  const complete = state.groups.length > 0 && !open().length && !state.missing.length;
  $('view').classList.toggle('small', state.groups.length > 0 && current() !== null && !$('cards').open);
  setText($('say'), document.body.classList.contains('busy') ? t('own.looking') : say());
  group.show(state, joining ? null : current());
  setText($('missing'), state.groups.length && state.missing.length ? t('own.missing', { names: state.missing.map(shown).join(', ') }) : '');
  $('alike').replaceChildren(...state.alike.map(([a, b]) => h('li', {}, t('own.alike', { a: shown(a), b: shown(b) }))));
  $('tiles').replaceChildren(...state.groups.map(tile));
  $('cards').hidden = !camera || !state.cards.length || !state.groups.length;
  $('card-names').replaceChildren(...state.cards.map(card));
  $('look').hidden = !camera;
  $('look').classList.toggle('main', !complete && !open().length);
  $('enough').classList.toggle('main', complete);
  $('enough').hidden = !state.groups.some((each) => each.name);
  $('export').hidden = state.groups.length === 0;
  $('export').href = address(state.set, '/export');
}

/** begin shows a set; its name is in the address, so that a page that is opened again goes on. */
async function begin(name, game) {
  try {
    complain($('shelf-problem'), null);
    state = game ? await send(address(name), json({ game })) : await get(address(name));
    history.replaceState(null, '', `#${encodeURIComponent(name)}`);
  } catch (problem) {
    state = null;
    complain($('shelf-problem'), problem);
  }
  show();
}

/** start shows what the address names, else the shelf. */
async function start() {
  state = null;
  try {
    const [shelf, match] = await Promise.all([get(`${root}/api/v1/dice`), get(`${root}/api/v1/state`)]);
    camera = shelf.camera;
    const game = new URLSearchParams(location.search).get('game') ?? match.game;
    showShelf({ sets: shelf.sets, game }, begin);
    const name = decodeURIComponent(location.hash.slice(1));
    if (name) {
      await begin(name, null);
      return;
    }
  } catch (problem) {
    complain($('shelf-problem'), problem);
  }
  show();
}

async function main() {
  await loadWords();
  showMenu();
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', nextTheme);
  group = new Group($('group'), act, (letter) => { joining = letter; show(); });
  $('look').addEventListener('click', () => look(null));
  $('photo').addEventListener('change', (event) => {
    const [photo] = event.target.files;
    event.target.value = '';
    if (photo) look(photo);
  });
  $('enough').addEventListener('click', () => location.assign(below(`/setup?dice=${encodeURIComponent(state.set)}&game=${state.game}`)));
  $('held').append(framed($('live')));
  $('cards').addEventListener('toggle', () => {
    $('view').classList.toggle('framing', $('cards').open);
    show();
  });
  addEventListener('hashchange', start);
  await start();
  if (camera) {
    $('view').classList.add('seeing');
    showPictures($('live'), () => $('view').classList.add('seen'));
  }
}

main();
