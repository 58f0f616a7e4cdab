// The code that leads a phone to the table: in a dialog here, always in view across the room.
import { $, h, setText } from './dom.js';
import { t } from './i18n.js';

async function ask(path) {
  const code = localStorage.getItem('table-code');
  return fetch(path, { headers: code ? { 'X-Table-Code': code } : {} });
}

async function draw(image, to) {
  const answer = await ask(`/api/v1/join.svg?to=${to}`);
  if (!answer.ok) return;
  const old = image.src;
  image.src = URL.createObjectURL(await answer.blob());
  if (old) URL.revokeObjectURL(old);
}

/** joining is how others reach the table; null where this device may not tell. */
async function joining() {
  const answer = await ask('/api/v1/join').catch(() => null);
  return answer?.ok ? answer.json() : null;
}

const roads = ['/play', '/camera'];

async function open(how) {
  const dialog = $('join');
  const reachable = how.addresses.length > 0;
  const show = (to) => {
    for (const button of $('join-roads').children) button.setAttribute('aria-pressed', String(button.dataset.to === to));
    setText($('join-where'), reachable ? `http://${how.addresses[0]}${to}` : t('join.alone'));
    if (reachable) draw($('join-picture'), to);
  };
  $('join-roads').replaceChildren(...roads.map((to) => h('button', { type: 'button', 'data-to': to, onclick: () => show(to) }, t(`join.to.${to.slice(1)}`))));
  $('join-roads').hidden = !reachable;
  $('join-picture').hidden = !reachable;
  $('join-code').hidden = !reachable;
  setText($('join-code'), how.code);
  show(roads[0]);
  dialog.showModal();
}

/** showJoining offers the code on a page of the given view. */
export async function showJoining(view) {
  if (view === 'overlay') return;
  const how = await joining();
  if (!how) return;
  if (view === 'tv') {
    if (!how.addresses.length) return;
    await draw($('joinbox-picture'), '/play');
    setText($('joinbox-code'), how.code);
    $('joinbox').hidden = false;
    return;
  }
  $('join-open').hidden = false;
  $('join-open').addEventListener('click', async () => open(await joining() ?? how));
}
