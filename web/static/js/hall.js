// The page of a hall: all tables as they are now, and the inbox of a referee.
import { declare, send } from './api.js';
import { $, refocus, setText } from './dom.js';
import { loadWords, otherLanguage, t } from './i18n.js';
import { showMenu } from './nav.js';
import { told } from './refused.js';
import { knownCode } from './root.js';
import { asked, card, found, stateOf } from './seats.js';
import { nextTheme } from './theme.js';

const tables = new Map();
let order = [];
let who = ''; // the referee at this page

function notice(problem) {
  $('problem').hidden = !problem;
  if (problem) setText($('problem'), problem);
}

const say = async (act, body, id) => {
  try {
    await declare(act, body, `/t/${id}`);
    notice('');
  } catch (problem) {
    notice(told(problem));
  }
};

const shown = new WeakMap(); // what each element of a list shows, as a text

/** show makes a list show tables; the elements of those that have not changed stay, so that nobody loses their place. */
function show(list, all, make) {
  const old = new Map([...list.children].map((node) => [shown.get(node), node]));
  list.replaceChildren(...all.map((table) => {
    const text = JSON.stringify(table);
    const node = old.get(text) ?? make(table);
    shown.set(node, text);
    return node;
  }));
}

function draw() {
  const text = $('find').value.trim().toLowerCase();
  const all = order.map((id) => tables.get(id)).filter(Boolean);
  const fitting = all.filter((table) => found(table, text, $('only').value));
  const waiting = all.filter((table) => ['asks', 'trouble'].includes(stateOf(table)));
  const held = document.activeElement?.closest?.('[data-id]')?.dataset.id;
  show($('tables'), fitting, card);
  $('none').hidden = fitting.length > 0;
  setText($('tables-title'), `${t('hall.tables', { count: all.length })}, ${t('hall.waiting', { count: waiting.length })}`);
  $('inbox').hidden = !who;
  $('sign-in').hidden = Boolean(who);
  if (who) {
    setText($('referee'), t('hall.as', { name: who.replace(/^referee /, '') }));
    show($('asked'), waiting, (table) => asked(table, {
      answer: (said) => say('declare', said, table.id),
      helped: () => say('help', { wanted: false }, table.id),
    }));
    setText($('inbox-title'), t('hall.inbox', { count: waiting.length }));
  }
  if (held && document.activeElement === document.body) refocus(document.querySelector(`[data-id="${held}"]`));
}

async function signIn() {
  try {
    who = (await send('/api/v1/hall/referee', { headers: { 'Content-Type': 'application/json' }, body: '{}' })).who;
    notice('');
  } catch (problem) {
    notice(told(problem));
  }
  draw();
}

function listen() {
  const source = new EventSource('/api/v1/hall/events');
  source.addEventListener('tables', (event) => {
    const news = JSON.parse(event.data);
    for (const table of news.tables) tables.set(table.id, table);
    order = news.order;
    draw();
  });
  source.onopen = () => notice('');
  source.onerror = () => {
    notice(t('error.offline'));
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
  addEventListener('pagehide', () => source.close(), { once: true });
}

async function main() {
  await loadWords();
  showMenu();
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', nextTheme);
  $('find').addEventListener('input', draw);
  $('only').addEventListener('change', draw);
  $('sign-in').addEventListener('click', signIn);
  if (knownCode()) await signIn();
  listen();
}

main();
