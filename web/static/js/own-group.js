// One group of pictures that look alike: what does it show? One tap names it; what is wrong with it can be put right.
import { h } from './dom.js';
import { t } from './i18n.js';
import { choices, numbers, shown } from './own-names.js';
import { address } from './own-shelf.js';

/** picture is one top as its owner's camera saw it. */
export const picture = (set, name) => h('img', { src: address(set, `/pictures/${name}`), alt: '', width: 40, height: 40, loading: 'lazy' });

export class Group {
  /** act says something of the group to the server; join begins to choose another that shows the same. */
  constructor(node, act, join) {
    Object.assign(this, { node, act, join, of: '', marked: new Set(), several: null });
  }

  /** show draws a group; null: nothing is asked. */
  show(state, group) {
    if (this.of !== `${state.session} ${group?.group}`) Object.assign(this, { of: `${state.session} ${group?.group}`, marked: new Set(), several: null });
    Object.assign(this, { state, group });
    this.node.hidden = !group;
    if (!group) return;
    const asks = this.marked.size ? t('own.ask-marked', { n: this.marked.size }) : group.name ? t('own.shows', { name: shown(group.name) }) : t('own.ask');
    this.node.replaceChildren(h('h2', {}, asks), h('div', { class: 'own-pictures' }, group.pictures.map((name) => this.mark(name))),
      ...[this.names(), this.faces(), this.tools()].flat());
  }

  again() { this.show(this.state, this.group); }

  /** mark is a picture that can be marked as one that shows something else. */
  mark(name) {
    if (this.group.pictures.length < 2) return h('span', {}, picture(this.state.set, name));
    return h('button', {
      type: 'button', 'aria-pressed': String(this.marked.has(name)), 'aria-label': t('own.mark'), onclick: () => {
        if (!this.marked.delete(name)) this.marked.add(name);
        this.again();
      },
    }, picture(this.state.set, name));
  }

  /** named says what the group shows, or its marked pictures, on the face that was said before. */
  named(name) {
    if (this.marked.size && this.marked.size < this.group.pictures.length) {
      this.act({ do: 'name', shows: name, pictures: [...this.marked] });
      return;
    }
    const face = this.group.face && !numbers.includes(name) && !['burst', 'none'].includes(name) ? `${this.group.face} ` : '';
    this.act({ do: 'name', shows: face + name });
  }

  names() {
    const { game, icons } = this.state;
    const chosen = this.several ?? new Set(this.group.name && !this.marked.size ? this.group.name.split('+') : []);
    const list = this.several ? icons : choices(game, icons);
    const one = (name) => h('button', {
      type: 'button', 'data-name': name, 'aria-pressed': String(chosen.has(name)), class: name === this.group.perhaps ? 'perhaps' : null,
      onclick: () => {
        if (!this.several) {
          this.named(name);
          return;
        }
        if (!this.several.delete(name)) this.several.add(name);
        this.again();
      },
    }, shown(name));
    return [
      this.several ? h('p', { class: 'own-hint' }, t('own.several-hint')) : [],
      h('div', { class: 'own-names' }, list.map(one),
        this.group.perhaps && !list.includes(this.group.perhaps) && !this.several ? one(this.group.perhaps) : []),
      this.several ? h('div', { class: 'own-tools' },
        h('button', { type: 'button', disabled: this.several.size === 0, onclick: () => this.named([...this.several].join('+')) }, t('do.ok')),
        h('button', { type: 'button', onclick: () => { this.several = null; this.again(); } }, t('do.cancel'))) : [],
      game === 'any' && !this.several ? this.free() : [],
    ];
  }

  /** free is a name of one's own, where a game does not say which there are. */
  free() {
    const input = h('input', { maxlength: 24, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', 'aria-label': t('own.symbol') });
    return h('form', { class: 'own-free', onsubmit: (event) => { event.preventDefault(); if (input.value.trim()) this.named(input.value.trim()); } },
      h('label', {}, h('span', {}, t('own.symbol')), input), h('button', {}, t('do.ok')));
  }

  /** faces asks which face icons are on: only then tips can be judged. */
  faces() {
    const { name, face } = this.group;
    if (!name || this.several || this.marked.size || this.state.game === 'fromage-a-trois' || ['burst', 'none', ...numbers].includes(name)) return [];
    const select = h('select', { onchange: () => { if (select.value) this.act({ do: 'name', shows: `${select.value} ${name}` }); } },
      h('option', { value: '', selected: !face }, t('own.face-open')), numbers.map((n) => h('option', { value: n, selected: Number(n) === face }, n)));
    return h('label', { class: 'own-face' }, h('span', {}, t('own.face-number')), select);
  }

  tools() {
    if (this.several) return [];
    const button = (key, onclick) => h('button', { type: 'button', class: key, onclick }, t(`own.${key}`));
    return h('div', { class: 'own-tools' },
      this.state.icons.length && this.state.game !== 'fromage-a-trois' ? button('several', () => { this.several = new Set(); this.again(); }) : [],
      this.marked.size ? [
        this.marked.size < this.group.pictures.length ? button('split', () => this.act({ do: 'split', pictures: [...this.marked] })) : [],
        h('button', { type: 'button', onclick: () => { this.marked.clear(); this.again(); } }, t('do.cancel')),
      ] : [
        this.state.groups.length > 1 ? button('merge', () => this.join(this.group.group)) : [],
        button('drop', () => this.act({ do: 'drop' })),
      ]);
  }
}
