// The page of past matches: all of them, or the one that the address names.
import { $, h, setText } from './dom.js';
import { loadWords, otherLanguage, t } from './i18n.js';
import { showMenu } from './nav.js';
import { showList } from './past-list.js';
import { showMatch } from './past-match.js';
import { told } from './refused.js';
import { below, root } from './root.js';
import { nextTheme } from './theme.js';

/** ask gets what the journal tells; its refusals are thrown in words. */
async function ask(path) {
  const answer = await fetch(`${root}/api/v1/${path}`).catch(() => { throw new Error(t('error.offline')); });
  const body = await answer.json().catch(() => ({}));
  if (answer.ok) return body;
  throw new Error(told({ code: body.code, message: body.error ?? `HTTP ${answer.status}`, body }));
}

async function main() {
  await loadWords();
  showMenu();
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', nextTheme);
  addEventListener('unhandledrejection', ({ reason }) => { // what went wrong, also later
    $('problem').hidden = false;
    setText($('problem'), reason.message);
  });
  const id = new URLSearchParams(location.search).get('match');
  if (!id) return showList($('past'), ask);
  $('past').append(h('a', { href: below('/history'), class: 'button back' }, t('history.all')));
  return showMatch($('past'), ask, id);
}

main();
