// The code that leads a phone to the table: in a dialog here, always in view across the room.
import { $, h, setText } from './dom.js';
import { t } from './i18n.js';
import { draw, joining, offer } from './lan.js';

const roads = ['/play', '/camera'];

/** fill shows in the dialog how others come, or that nobody does yet. */
function fill(how) {
  const reachable = how.addresses.length > 0;
  const show = (to) => {
    for (const button of $('join-roads').children) button.setAttribute('aria-pressed', String(button.dataset.to === to));
    setText($('join-where'), reachable ? `http://${how.addresses[0]}${to}` : t(how.may_open ? 'join.private' : 'join.alone'));
    if (reachable) draw($('join-picture'), to);
  };
  $('join-roads').replaceChildren(...roads.map((to) => h('button', { type: 'button', 'data-to': to, onclick: () => show(to) }, t(`join.to.${to.slice(1)}`))));
  for (const id of ['join-roads', 'join-picture', 'join-code']) $(id).hidden = !reachable;
  $('join-allow').hidden = reachable || !how.may_open;
  setText($('join-title'), t(reachable ? 'join.scan' : 'join.open'));
  setText($('join-code'), how.code);
  show(roads[0]);
}

function open(how) {
  fill(how);
  $('join').showModal();
}

/** showJoining offers the code on a page of the given view. */
export async function showJoining(view) {
  if (view === 'overlay' || (view === 'tv' && /[?&]stream\b/.test(location.search))) return; // a stream's viewers are not invited
  const how = await joining();
  if (!how) return;
  if (view === 'tv') {
    if (!how.addresses.length) return;
    await draw($('joinbox-picture'), '/play');
    setText($('joinbox-code'), how.code);
    $('joinbox').hidden = false;
    return;
  }
  offer($('join-allow'), fill, (problem) => setText($('join-where'), problem));
  $('join-open').hidden = false;
  $('join-open').addEventListener('click', async () => open(await joining() ?? how));
}
