// The last step of the wizard: who plays, in which order, with which colors, by which house rules.
import { $, h, s, setText } from './dom.js';
import { has, t } from './i18n.js';
import { token } from './players.js';
import { drawDie } from './dice.js';
import { usual } from './setup-game.js';

const boxColors = ['red', 'yellow', 'blue', 'white'];
const icon = (d) => s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d }));

export class PlayersStep {
  constructor(wizard) {
    this.wizard = wizard;
    for (const n of [1, 2]) $('each-of').append(h('button', { type: 'button', 'data-each': n, onclick: () => this.each(n) }));
    $('add').addEventListener('click', () => {
      const { plan } = this.wizard;
      plan.players.push(this.spare());
      plan.owners = null;
      plan.zones = null;
      this.show();
      $('players').lastElementChild.querySelector('input').select();
    });
  }

  /** spare is a name that nobody has yet. */
  spare() {
    const { players } = this.wizard.plan;
    for (let n = players.length + 1; ; n++) if (!players.includes(t('setup.player', { n }))) return t('setup.player', { n });
  }

  /** fit brings the number of players to what the game allows; a recorded game has its own. */
  fit() {
    const { plan, chosen } = this.wizard;
    const { players: [least, most], demo } = chosen();
    if (plan.source === 'demo') Object.assign(plan, { players: [...demo], owners: null, options: {} });
    const enough = plan.players.length ? least : usual(chosen());
    while (plan.players.length < enough) plan.players.push(this.spare());
    plan.players.length = Math.min(plan.players.length, most);
    if (plan.players.length !== 2) delete plan.options.two_player_colours; // it is about two
  }

  show() {
    const { plan, chosen } = this.wizard;
    this.fit();
    const fixed = plan.source === 'demo';
    const { players: [least, most] } = chosen();
    $('players').replaceChildren(...plan.players.map((name, seat) => this.row(name, seat, fixed, least)));
    $('add').hidden = fixed || plan.players.length >= most;
    setText($('players-note'), t(fixed ? 'setup.players.demo' : 'setup.players.note'));
    this.ask(fixed);
    this.dice(fixed || plan.source === 'none');
    const rules = chosen().rules.filter((rule) => rule.name !== 'two_player_colours'); // that is asked
    $('rules').hidden = fixed || rules.length === 0;
    $('rule-list').replaceChildren(...rules.map((rule) => this.rule(rule)));
  }

  /** ask asks two players of Dice Box how many colors each of them plays with. */
  ask(fixed) {
    const { plan } = this.wizard;
    $('each').hidden = fixed || plan.game !== 'dice-box' || plan.players.length !== 2;
    for (const button of $('each-of').children) {
      setText(button, t(`setup.each.${button.dataset.each}`));
      button.setAttribute('aria-pressed', String(this.colorsEach() === Number(button.dataset.each)));
    }
  }

  /** dice asks by which set of dice these are read, and leads to where one is shown. */
  dice(fixed) {
    const { plan, sets, showDice } = this.wizard;
    const able = (sets() ?? []).filter((set) => set.game === plan.game || set.game === 'any');
    if (!able.some((set) => set.name === plan.dice)) plan.dice = '';
    $('own-dice').hidden = fixed || !sets();
    $('own-show').onclick = showDice;
    $('own-set').replaceChildren(h('option', { value: '' }, t('setup.dice.pips')), ...able.map(({ name }) => h('option', { value: name, selected: name === plan.dice }, name)));
    $('own-set').onchange = (event) => { plan.dice = event.target.value; };
  }

  colorsEach() {
    const { owners, options } = this.wizard.plan;
    return owners?.[0]?.length ?? Number(options.two_player_colours ?? 1);
  }

  each(n) {
    const { plan } = this.wizard;
    plan.options.two_player_colours = n;
    plan.owners = null;
    this.show();
  }

  /** complain marks the name that is refused, and says why beside the button. */
  complain(problem) {
    const input = problem.code.startsWith('name') ? $('players').children[Number(problem.body?.about?.n) - 1]?.querySelector('input') : null;
    input?.setAttribute('aria-invalid', 'true');
    input?.focus();
    return false;
  }

  row(name, seat, fixed, least) {
    const { plan } = this.wizard;
    const input = h('input', { value: name, maxlength: 40, 'aria-label': t('setup.player', { n: seat + 1 }), autocomplete: 'off', readonly: fixed });
    input.addEventListener('input', () => { // not only once the field is left: some phones leave none for a button
      plan.players[seat] = input.value.trim() || t('setup.player', { n: seat + 1 });
      input.removeAttribute('aria-invalid');
    });
    input.addEventListener('change', () => { input.value = plan.players[seat]; });
    input.addEventListener('focus', () => input.select());
    const swap = () => {
      [plan.players[seat - 1], plan.players[seat]] = [plan.players[seat], plan.players[seat - 1]];
      this.show();
      $('players').children[seat - 1].querySelector('input').focus();
    };
    const drop = () => {
      plan.players.splice(seat, 1);
      plan.owners = null;
      plan.zones = null;
      this.show();
    };
    return h('li', { class: `seat${seat % 5}` }, token(seat), input,
      fixed ? null : h('button', { type: 'button', class: 'swap', disabled: seat === 0, 'aria-label': t('setup.earlier', { name }), onclick: swap }, icon('M12 19V6M6 11l6-6 6 6')),
      fixed ? null : h('button', { type: 'button', class: 'drop', disabled: plan.players.length <= least, 'aria-label': t('setup.remove', { name }), onclick: drop }, icon('M6 6l12 12M18 6 6 18')),
      fixed || plan.game !== 'dice-box' ? null : this.colors(seat, name));
  }

  /** owned is who owns which colors: as chosen, else as the rules say by default. */
  owned() {
    const { plan } = this.wizard;
    const two = plan.players.length === 2 && this.colorsEach() === 2;
    return plan.owners ?? plan.players.map((_, seat) => (two ? [boxColors[seat * 2], boxColors[seat * 2 + 1]] : [boxColors[seat]]));
  }

  colors(seat, name) {
    const { plan } = this.wizard;
    const owned = this.owned();
    return h('span', { class: 'colors', role: 'group', 'aria-label': t('setup.colors', { name }) }, boxColors.map((color) => h('button', {
      type: 'button', 'aria-pressed': String(owned[seat].includes(color)), 'aria-label': t(`color.${color}`),
      onclick: () => {
        plan.owners = this.swapped(owned, seat, color);
        this.show();
      },
    }, drawDie(color, 0))));
  }

  /** swapped gives a color to a seat. Who had it gets what the seat had, so that everybody has as many as before. */
  swapped(owned, seat, color) {
    const had = owned[seat];
    if (had.includes(color)) return owned;
    const lost = had[0];
    const before = owned.findIndex((list) => list.includes(color));
    return owned.map((list, i) => (i === seat ? [...had.slice(1), color] : i === before ? list.map((each) => (each === color ? lost : each)) : list));
  }

  rule(rule) {
    const { plan } = this.wizard;
    const { game } = plan;
    const words = `rule.${game}.${rule.name}`;
    const value = plan.options[rule.name] ?? rule.default;
    const set = (v) => {
      if (v === rule.default) delete plan.options[rule.name];
      else plan.options[rule.name] = v;
    };
    const text = has(words) ? t(words) : rule.text;
    return h('label', { class: 'rule' }, this.control(rule, value, set), h('span', {}, text));
  }

  control(rule, value, set) {
    if (rule.kind === 'switch') {
      const box = h('input', { type: 'checkbox', checked: value === true || value === 'true' });
      box.addEventListener('change', () => set(box.checked));
      return box;
    }
    if (rule.kind === 'choice') {
      const list = h('select', {}, rule.values.map((v, i) => h('option', { value: i, selected: String(v) === String(value) }, this.named(v))));
      list.addEventListener('change', () => set(rule.values[Number(list.value)]));
      return list;
    }
    const field = h('input', { type: rule.kind === 'number' ? 'number' : 'text', value: String(value), maxlength: 2000, min: 0, step: 1 });
    field.addEventListener('input', () => set(rule.kind === 'number' ? Number(field.value) : field.value.trim() || rule.default));
    return field;
  }

  named(value) {
    const key = `choice.${value}`;
    return has(key) ? t(key) : String(value);
  }
}
