// One past match, to look at it again.
import { h } from './dom.js';
import { t } from './i18n.js';
import { seatedAt } from './moves.js';
import { chartsOf } from './past-charts.js';
import { changes } from './past-change.js';
import { names, standing, when, who } from './past-list.js';
import { Replay } from './past-replay.js';
import { below, root } from './root.js';

const files = [['JSON', 'export'], ['CSV', 'csv'], ['TXT', 'text']];

/** head is what was played, when, by whom, and the match as a file. */
const head = (match, where, back) => h('section', { class: 'leaf headline' }, back,
  h('p', { class: 'what' }, names(match), h('time', { datetime: match.began }, when(match.began)), standing(match)), who(match),
  h('p', { class: 'files', role: 'group', 'aria-label': t('history.files') }, files.map(([name, form]) => h('a', { href: `${root}/api/v1/${where}/export?form=${form}`, class: 'button', download: '' }, name))));

/** stepsOf gets every step of a match; each learns who played then, in turn order. */
async function stepsOf(where, ask) {
  let { match, steps, total } = await ask(where);
  while (steps.length < total) {
    const more = (await ask(`${where}?from=${steps.length}`)).steps;
    if (!more.length) break; // the journal has grown shorter meanwhile
    steps = [...steps, ...more];
  }
  let players = match.players.map(({ name }) => name);
  for (const step of steps) {
    if (['start', 'first', 'names'].includes(step.event.type)) players = step.event.players ?? players;
    step.players = players;
  }
  return { match, steps };
}

/** showMatch fills the page with one match of the journal. */
export async function showMatch(page, ask, id) {
  const where = `history/${encodeURIComponent(id)}`;
  const { match, steps } = await stepsOf(where, ask);
  document.documentElement.dataset.game = match.game;
  seatedAt(match.players.map(({ name }) => name), match.game);
  page.append(head(match, where, page.querySelector('.back')));
  const foot = changes(match, () => location.reload(), () => location.assign(below('/history')));
  if (!steps.length) return page.append(foot);
  const charts = chartsOf(match, steps, (at) => replay.move(at));
  const replay = new Replay(match, steps, charts.mark);
  await replay.show(page);
  return page.append(h('section', { class: 'charts' }, charts.nodes), foot);
}
