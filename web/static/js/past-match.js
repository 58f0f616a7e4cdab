// One past match, to look at it again.
import { h } from './dom.js';
import { t } from './i18n.js';
import { standing, when, who } from './past-list.js';

const files = [['JSON', 'export'], ['CSV', 'csv'], ['TXT', 'text']];

/** showMatch fills the page with one match of the journal. */
export async function showMatch(page, ask, id) {
  const where = `history/${encodeURIComponent(id)}`;
  const { match } = await ask(where);
  page.append(head(match, where));
}

/** head is what was played, when, by whom, and the match as a file. */
const head = (match, where) => h('section', { class: 'leaf headline' },
  h('p', { class: 'what' }, h('b', {}, t(`game.${match.game}`)), h('time', { datetime: match.began }, when(match.began)), standing(match)), who(match),
  h('p', { class: 'files', role: 'group', 'aria-label': t('history.files') }, files.map(([name, form]) => h('a', { href: `/api/v1/${where}/export?form=${form}`, class: 'button', download: '' }, name))));
