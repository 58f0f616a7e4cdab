// The page of a league: who plays where in this round, and who stands where, as it is now.
import { send } from './api.js';
import { $, h, setText } from './dom.js';
import { loadWords, otherLanguage, t } from './i18n.js';
import { askLeague, askPlayer, askResult, showPlayer } from './league-edit.js';
import { draw, meetingsOf } from './league-tables.js';
import { showMenu } from './nav.js';
import { told } from './refused.js';
import { knownCode } from './root.js';
import { nextTheme } from './theme.js';

const api = '/api/v1/leagues';
const address = new URLSearchParams(location.search);
const big = address.get('tv') !== null; // across the room: no controls
const inHall = (document.documentElement.dataset.pages ?? '').split(' ').includes('/hall');

let list = [];
let now = null; // the league that is shown
let chosen = 0; // the number of the round that is shown; 0: the last one
let source = null;
let mayChange = !inHall;

function notice(problem) {
  $('problem').hidden = !problem;
  if (problem) setText($('problem'), problem);
}

/** change changes something; what is refused is told. */
async function change(path, body) {
  try {
    const done = await send(`${api}${path}`, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    notice('');
    return done.id;
  } catch (problem) {
    notice(told(problem));
    return null;
  }
}

const begun = { begin: (table) => change(`/${now.id}/matches`, { table }) };
const edits = {
  result: async (round, number, table) => {
    const places = await askResult(table);
    if (places) change(`/${now.id}/results`, { round, table: number, places });
  },
  player: async (name, out) => {
    const turn = await showPlayer(name, out, meetingsOf(now, name), mayChange && !big);
    if (turn) change(`/${now.id}/players`, { name, out: !out });
  },
};

function show() {
  const may = mayChange && !big;
  $('sign-in').hidden = big || mayChange;
  $('begin').hidden = !may;
  $('none').hidden = Boolean(now);
  for (const id of ['standings', 'round', 'pair', 'join', 'big']) $(id).hidden = !now;
  if (!now) return;
  $('big').hidden = big;
  $('big').href = `/league?league=${encodeURIComponent(now.id)}&tv`;
  $('pair').hidden = !may || Boolean(now.wait);
  setText($('pair'), t('league.pair', { number: now.rounds.length + 1 }));
  $('join').hidden = !may;
  $('choose').hidden = big || list.length < 2;
  $('which').replaceChildren(...list.map((each) => h('option', { value: each.id, selected: each.id === now.id }, each.name)));
  draw(now, chosen, { ...edits, ...(inHall ? begun : {}), may, big });
}

/** follow shows a league and everything that becomes of it. */
function follow(id) {
  source?.close();
  chosen = 0;
  const mine = new EventSource(`${api}/${encodeURIComponent(id)}/events`);
  source = mine;
  mine.addEventListener('league', (event) => {
    now = JSON.parse(event.data);
    show();
  });
  mine.onopen = () => notice('');
  mine.onerror = () => {
    notice(t('error.offline'));
    if (mine.readyState === EventSource.CLOSED) setTimeout(() => { if (mine === source) follow(id); }, 2000);
  };
}

/** load reads which leagues there are, and shows the one that is wanted, or the newest. */
async function load(id = address.get('league')) {
  try {
    const answer = await fetch(api);
    if (answer.ok) list = (await answer.json()).leagues;
  } catch {
    notice(t('error.offline'));
  }
  const found = list.find((each) => each.id === id) ?? list[0];
  if (found) follow(found.id);
  else show();
}

async function signIn() {
  try {
    await send('/api/v1/hall/referee', { headers: { 'Content-Type': 'application/json' }, body: '{}' });
    mayChange = true;
    notice('');
  } catch (problem) {
    notice(told(problem));
  }
  show();
}

async function begin() {
  const wanted = await askLeague();
  const id = wanted && await change('', wanted);
  if (id) load(id);
}

/** turnPages moves a screen that nobody touches from page to page, and back to the top. */
function turnPages() {
  const page = document.scrollingElement;
  const end = page.scrollTop + page.clientHeight >= page.scrollHeight - 4;
  page.scrollTo({ top: end ? 0 : page.scrollTop + 0.85 * page.clientHeight });
}

async function main() {
  if (big) document.documentElement.dataset.view = 'league-tv';
  await loadWords();
  showMenu();
  setText($('code-title'), t(inHall ? 'hall.code' : 'code.title'));
  setText($('code-text'), t(inHall ? 'hall.code.text' : 'code.text'));
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', nextTheme);
  $('sign-in').addEventListener('click', signIn);
  $('begin').addEventListener('click', begin);
  $('pair').addEventListener('click', () => change(`/${now.id}/rounds`, { number: now.rounds.length + 1 }));
  $('join').addEventListener('click', async () => {
    const name = await askPlayer();
    if (name) change(`/${now.id}/players`, { name });
  });
  $('which').addEventListener('change', () => follow($('which').value));
  $('rounds').addEventListener('change', () => {
    chosen = Number($('rounds').value);
    show();
  });
  if (big) setInterval(turnPages, 10000);
  addEventListener('pagehide', () => source?.close(), { once: true });
  if (inHall && knownCode() && !big) await signIn();
  load();
}

main();
