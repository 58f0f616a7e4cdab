// The end of a game: who has won, in large, with everybody's points; before that the cards that tell.
import { $, h, refocus, s } from './dom.js';
import { language, t } from './i18n.js';
import { holdUp } from './held-card.js';
import { crown, token } from './players.js';
import { dessert } from './scores.js';

const letters = 'ABCDEFGH';
const and = (names) => new Intl.ListFormat(language).format(names);

/** standings are the players with their points, winners first, then by points; equal points share a place. */
export function standings({ players, sheets, outcome }) {
  const list = players.map((name, seat) => ({ name, seat, points: sheets?.find(({ player }) => player === seat)?.total ?? 0, won: outcome.winners.includes(seat) }));
  list.sort((a, b) => b.won - a.won || b.points - a.points || a.seat - b.seat);
  for (const [i, row] of list.entries()) {
    const before = list[i - 1];
    row.place = before && before.won === row.won && (row.won || before.points === row.points) ? before.place : i + 1;
  }
  return list;
}

/** headline says in one line how it ended. */
export function headline(match) {
  const { outcome, players } = match;
  if (outcome.how !== 'rules') return t(`finale.${outcome.how}`);
  if (outcome.cards?.length) return t('finale.cards');
  if (players.length === 1) return t('finale.solo', { player: players[0], points: standings(match)[0].points });
  const names = outcome.winners.map((seat) => players[seat]);
  return t(names.length > 1 ? 'finale.shared' : 'finale.won', { players: and(names) });
}

/** because says why somebody has won who has not simply the most points, and what an early end means. */
function because(match, able) {
  const { outcome, game, players } = match;
  if (outcome.how !== 'rules') return t('finale.nobody');
  if (match.provisional?.length) return t('finale.provisional');
  if (outcome.cards?.length) return able ? t('finale.cards.how') : '';
  if (outcome.winners.length !== 1 || players.length === 1) return '';
  const [best, ...others] = standings(match);
  if (others.some(({ points }) => points > best.points)) return t('finale.lowest');
  return others.some(({ points }) => points === best.points) ? t(`finale.tie.${game}`) : '';
}

/** announcement is the end as it is said aloud. */
export function announcement(match) {
  const told = match.outcome.cards?.length || match.players.length === 1 ? [] : standings(match).map(({ name, points }) => t('voice.total', { player: name, total: points }));
  return [headline(match), because(match), told.join(', ')].filter(Boolean).join(' ');
}

/** pointless says whether points mean nothing: secret cards that were never turned over. */
const pointless = ({ game, outcome, state }) => game === 'dessert-dice' && (outcome.how !== 'rules' || outcome.cards?.length > 0 || !state.cards);

const row = (match) => ({ name, seat, points, won, place }) => h('li', { class: `seat${seat % 5}${won ? ' won' : ''}` },
  h('span', { class: 'rank' }, match.outcome.winners.length ? `${place}.` : ''), token(seat), h('b', { dir: 'auto' }, name),
  won ? crown(t('history.winner')) : null, match.state?.cards?.[seat] ? dessert(match.state.cards[seat]) : null, pointless(match) ? null : h('output', {}, String(points)));

const lens = () => s('svg', { viewBox: '0 0 24 24', class: 'dessert', 'aria-hidden': 'true' }, s('path', { d: 'M3 7h4l2-3h6l2 3h4v13H3zM12 9a4.3 4.3 0 1 0 .01 0z', 'fill-rule': 'evenodd' }));

/** hold is for whoever would rather hold the card before the camera. */
const hold = (name, seat) => h('button', { class: 'card', type: 'button', 'aria-label': t('card.hold.button', { player: name }), 'data-key': `hold-${seat}`, onclick: () => holdUp(name) }, lens());

/** cards are turned over at the end: each player taps the dessert that was theirs, or holds it before the camera where that can tell. */
function cards(match, tap, held) {
  const { players, state } = match;
  const taken = new Set(state.cards);
  return h('ol', { class: 'cards' }, players.map((name, seat) => h('li', { class: `cardrow seat${seat % 5}` }, token(seat), h('b', { dir: 'auto' }, name),
    ['J', 'S', 'P', 'I'].map((card) => {
      const own = state.cards?.[seat] === card;
      const look = { class: own ? 'card now' : 'card', 'aria-label': t('finale.card', { player: name, dessert: t(`dessert.${card}`) }), 'data-key': `card-${seat}-${card}` };
      if (!tap) return own ? h('span', { ...look, role: 'img' }, dessert(card)) : null;
      return h('button', { ...look, type: 'button', 'aria-pressed': String(own), disabled: taken.has(card) && !own, onclick: () => tap(`${letters[seat]} card ${card}`) }, dessert(card));
    }), tap && held && !state.cards?.[seat] ? hold(name, seat) : null)));
}

const confetti = () => h('div', { class: 'confetti', 'aria-hidden': 'true' }, Array.from({ length: 24 }, (_, i) => h('i', { class: `seat${i % 5}` })));

/** Finale shows how a match has ended, in place of the table, until somebody wants to look at that again. */
export class Finale {
  /**
   * able: things can be tapped; act(move) plays one; say(what, body) tells the server; held() says whether the camera can tell cards;
   * onFold() is called once the table is wanted, or the end again.
   */
  constructor({ able, act, say, held, onFold }) {
    Object.assign(this, { able, act, say, held, onFold, node: $('finale'), key: '', folded: '' });
  }

  /** shown says whether the end of this match is in view. */
  shown(match) { return Boolean(match?.outcome) && this.folded !== this.ending(match); }

  /** ending names one end of one match: another one is shown anew. */
  ending({ id, outcome }) { return JSON.stringify([id, outcome]); }

  fold(match) {
    this.folded = this.shown(match) ? this.ending(match) : '';
    this.onFold();
  }

  show(match) {
    const shown = this.shown(match);
    document.documentElement.toggleAttribute('data-finale', shown);
    this.node.hidden = !shown;
    const key = shown ? JSON.stringify([match.id, match.outcome, match.players, match.sheets, match.state?.cards, match.can_undo, this.held()]) : '';
    if (key === this.key) return;
    if (shown && !this.key) scrollTo(0, 0); // whoever looked further down sees who has won
    this.key = key;
    if (shown) this.draw(match);
    else this.node.replaceChildren();
  }

  draw(match) {
    const { outcome } = match;
    const had = this.node.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const won = outcome.winners.length > 0;
    this.node.className = `finale ${won ? 'celebrates' : 'plain'}`;
    this.node.replaceChildren(...[
      won ? confetti() : null,
      won ? h('div', { class: 'crowns' }, outcome.winners.map((seat) => h('span', { class: `seat${seat % 5}` }, crown(), token(seat)))) : null,
      h('h2', {}, headline(match)),
      h('p', {}, because(match, this.able)),
      outcome.cards?.length ? cards(match, this.able ? this.act : null, this.held()) : h('ol', { class: 'final', 'aria-label': t('finale.table') }, standings(match).map(row(match))),
      this.able ? this.doing(match) : null,
    ].filter(Boolean));
    if (had) refocus(this.node.querySelector(`[data-key="${had}"]`));
  }

  doing(match) {
    const { how, cards: open } = match.outcome;
    const button = (key, text, onclick, main) => h('button', { type: 'button', class: main ? 'main' : null, 'data-key': key, onclick }, text);
    return h('div', { class: 'doing' },
      open?.length ? null : button('rematch', t('do.rematch'), () => this.say('declare', { say: 'rematch' }), true),
      how === 'stopped' ? button('play-on', t('finale.play-on'), () => this.say('undo')) : null,
      button('fold', t('finale.table-again'), () => this.fold(match)));
  }
}
