// Changing what a kept match is called, who played in it, and whether it counts.
import { send } from './api.js';
import { h } from './dom.js';
import { t } from './i18n.js';
import { told } from './refused.js';
import { root } from './root.js';

/** change sends a change; its refusals are thrown in words. */
async function change(method, path, body) {
  const options = body ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {};
  try {
    return await send(`${root}/api/v1/${path}`, { method, ...options });
  } catch (problem) {
    throw new Error(told(problem));
  }
}

const where = (match) => `history/${encodeURIComponent(match.id)}`;

const button = (text, onclick) => h('button', { type: 'button', onclick }, text);

/** twice is a button that does something when it is tapped twice: the first tap asks. */
function twice(text, question, act) {
  let asked = false;
  const node = button(text, () => {
    if (asked) return act();
    asked = true;
    node.textContent = question;
    node.classList.add('sure');
    return undefined;
  });
  const forget = ({ type, target }) => { // whoever taps elsewhere did not mean it
    if (type === 'pointerdown' && target === node) return;
    asked = false;
    node.textContent = text;
    node.classList.remove('sure');
  };
  node.addEventListener('blur', forget);
  addEventListener('pointerdown', forget);
  return node;
}

const restore = (match, done) => button(t('history.restore'), async () => {
  await change('PATCH', where(match), { deleted: false });
  done();
});

const remove = (match, done) => twice(t('history.delete'), t('history.delete-sure'), async () => {
  await change('PATCH', where(match), { deleted: true });
  done();
});

const erase = (match, done) => twice(t('history.erase'), t('history.erase-sure'), async () => {
  await change('DELETE', where(match));
  done();
});

/** fates are what can become of a match: one in which nothing was played goes at once, others are deleted
 *  first and can be restored. */
export function fates(match, done, gone = done) {
  if (match.deleted) return [restore(match, done), erase(match, gone)];
  return [match.empty ? erase(match, gone) : remove(match, gone)];
}

const field = (label, value, rest = {}) => h('label', {}, h('span', {}, label), h('input', { value, autocomplete: 'off', spellcheck: 'false', ...rest }));

/** form is a few fields that are saved together. */
function form(fields, save) {
  return h('form', {
    onsubmit: (event) => {
      event.preventDefault();
      return save(fields.map((each) => each.querySelector('input').value.trim()));
    },
  }, fields, h('button', { class: 'main' }, t('history.save')));
}

/** changes is all that can be changed about a match, folded up until it is wanted. */
export function changes(match, done, gone) {
  const names = match.players.map(({ name }) => name);
  const fields = [field(t('history.title'), match.title ?? '', { maxlength: 80 }), ...names.map((name, i) => field(t('history.player-n', { n: i + 1 }), name, { maxlength: 40, required: true }))];
  return h('details', { class: 'leaf changes' }, h('summary', {}, t('history.change')),
    form(fields, async ([title, ...players]) => {
      const body = { title };
      if (players.some((name, i) => name !== names[i])) body.players = players;
      await change('PATCH', where(match), body);
      done();
    }), h('p', { class: 'fates' }, fates(match, done, gone)));
}

/** renaming gives a player another name in every match. */
export function renaming(name, done) {
  return h('details', { class: 'renaming' }, h('summary', {}, t('history.rename')),
    form([field(t('history.rename-to'), name, { maxlength: 40, required: true })], async ([to]) => {
      if (to === name) return;
      const { kept } = await change('POST', 'players/rename', { from: name, to });
      if (kept.length) throw new Error(t('history.rename-kept', { n: kept.length, name: to }));
      done();
    }));
}
