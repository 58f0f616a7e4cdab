// The first step of the wizard: which game. A picture each, one tap.
import { $, h, s } from './dom.js';
import { t } from './i18n.js';
import { drawDie } from './dice.js';

/** Dice of each game's picture: column, row, color, face; on a board of five by five, or loose. */
const scenes = {
  'dessert-dice': [[1, 1, 'red', 3], [2, 1, 'yellow', 5], [2, 2, 'black', 1], [3, 2, 'green', 2], [1, 3, 'purple', 6]],
  'dice-box': [[2, 2, 'black', 3], [2, 1, 'red', 4], [3, 2, 'yellow', 2], [1, 2, 'blue', 4], [2, 3, 'white', 2]],
  'fromage-a-trois': [[0.4, 0.6, 'yellow', 4], [2, 0.3, 'yellow', 4], [3.6, 0.8, 'white', 2], [0.8, 2.5, 'orange', 6], [2.4, 2.2, 'white', 2], [1.6, 3.7, 'orange', 6], [3.5, 3.3, 'yellow', 1]],
  'dicecreams': [[0.3, 0.5, 'green', 3], [1.9, 0.2, 'blue', 5], [3.5, 0.6, 'orange', 2], [0.9, 2.2, 'black', 1], [2.7, 2, 'yellow', 6]],
  'dice-flick': [[1, 2, 'blue', 4], [2, 2, 'blue', 6], [2, 3, 'white', 3], [3, 1, 'pink', 0], [0, 4, 'green', 2]],
};

const holes = () => Array.from({ length: 25 }, (_, i) => s('circle', { cx: (i % 5) * 20 + 10, cy: Math.floor(i / 5) * 20 + 10, r: 8, class: 'hole' }));
const squares = () => Array.from({ length: 25 }, (_, i) => s('rect', { x: (i % 5) * 20 + 0.5, y: Math.floor(i / 5) * 20 + 0.5, width: 19, height: 19, rx: 2, class: 'square' }));

/** usual is how many play a game until somebody says otherwise: nobody sets a table for one. */
export const usual = ({ players: [least, most] }) => Math.min(Math.max(2, least), most);

/** drawGame is a small picture of a game's table. */
export function drawGame(game, layout) {
  const dice = (scenes[game] ?? []).map(([x, y, color, face]) => {
    const die = drawDie(color, face);
    for (const [name, value] of Object.entries({ x: x * 20 + 2, y: y * 20 + 2, width: 16, height: 16 })) die.setAttribute(name, value);
    return die;
  });
  return s('svg', { viewBox: '0 0 100 100', class: 'scene', 'aria-hidden': 'true' },
    layout === 'board' ? squares() : layout === 'arena' ? holes() : s('rect', { x: 1, y: 1, width: 98, height: 98, rx: 8, class: 'cloth' }), dice);
}

export class GameStep {
  constructor(wizard) {
    this.wizard = wizard;
  }

  show() {
    const { plan, pick, offer } = this.wizard;
    $('step-game').replaceChildren(...offer().games.map((game) => h('button', {
      type: 'button', class: 'wiz-card', 'aria-pressed': String(game.name === plan.game), 'data-game': game.name, onclick: () => pick(game.name),
    }, drawGame(game.name, game.layout), h('b', {}, game.title), h('small', {}, t('setup.for-players', { least: game.players[0], most: game.players[1] })))));
  }
}
