// The questions of a league's page: a new league, a result, a player.
import { $, h, setText } from './dom.js';
import { language, t } from './i18n.js';

/** question shows a dialog; the answer is read when it is closed with OK. */
function question(title, body, read, { other = '' } = {}) {
  const dialog = $('edit');
  setText($('edit-title'), title);
  $('edit-body').replaceChildren(...body);
  $('edit-ok').hidden = !read;
  setText($('edit-cancel'), t(read ? 'do.cancel' : 'do.close'));
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'ok' && read ? read() : dialog.returnValue === 'other' ? other : null), { once: true });
    dialog.returnValue = '';
    dialog.showModal();
  });
}

const field = (label, input) => h('label', {}, h('span', {}, t(label)), input);
const choice = (options, attributes = {}) => h('select', attributes, options.map(([value, text]) => h('option', { value }, text)));

const games = ['dessert-dice', 'dice-box', 'fromage-a-trois', 'dicecreams', 'dice-flick'];

/** askLeague asks for everything about a new league. */
export function askLeague() {
  const name = h('input', { required: true, maxlength: 40, autocomplete: 'off' });
  const format = choice([['swiss', t('league.format.swiss')], ['round-robin', t('league.format.round-robin')]]);
  const game = choice([['', t('league.any')], ...games.map((each) => [each, t(`game.${each}`)])]);
  const most = h('input', { type: 'number', min: 2, max: 8, value: 4, inputmode: 'numeric' });
  const players = h('textarea', { rows: 6, required: true, autocomplete: 'off', spellcheck: 'false' });
  return question(t('league.new'), [field('league.name', name), field('league.format', format), field('league.game', game), field('league.most', most), field('league.who', players)], () => ({
    name: name.value.trim(), format: format.value, game: game.value, most: Number(most.value), players: players.value.split(/[\n,]/).map((each) => each.trim()).filter(Boolean),
  }));
}

/** ranks makes places of what was chosen: after two first ones comes the third. */
const ranks = (chosen) => chosen.map((place) => (place ? 1 + chosen.filter((other) => other && other < place).length : 0));

/** askResult asks for the places at a table: a list, empty for what the match says, or null. */
export function askResult(table) {
  const places = table.players.map((_, i) => table.players.map((__, n) => [n + 1, t('league.place', { place: n + 1 })]).concat([[0, t('league.absent')]]).map(([value, text]) => h('option', { value, selected: value === (table.places?.[i] ?? i + 1) }, text)));
  const choices = table.players.map((_, i) => h('select', {}, places[i]));
  const body = [h('p', { class: 'soft' }, t('league.shared')), ...table.players.map((player, i) => h('label', { class: 'row' }, h('span', {}, player), choices[i]))];
  if (table.entered) body.push(h('button', { value: 'other', class: 'other' }, t('league.match')));
  return question(t('league.enter'), body, () => ranks(choices.map((each) => Number(each.value))), { other: [] });
}

/** askPlayer asks for somebody who joins. */
export function askPlayer() {
  const name = h('input', { required: true, maxlength: 40, autocomplete: 'off' });
  return question(t('league.join'), [field('league.player', name)], () => name.value.trim());
}

/** showPlayer shows what a player has done against the others; it answers 'turn' where somebody has left or is back. */
export function showPlayer(name, out, meetings, mayChange) {
  const number = (value) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
  const body = [meetings.length
    ? h('table', { class: 'met' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('league.against')), h('th', { scope: 'col' }, t('league.met')), h('th', { scope: 'col' }, t('league.won')))),
      h('tbody', {}, meetings.map((m) => h('tr', {}, h('th', { scope: 'row' }, m.other), h('td', {}, m.times), h('td', {}, number(m.beaten))))))
    : h('p', {}, t('league.unmet'))];
  if (mayChange) body.push(h('button', { value: 'other', class: 'other' }, t(out ? 'league.back' : 'league.leave')));
  return question(name, body, null, { other: 'turn' });
}
