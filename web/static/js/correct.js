// Putting a reading right: after a tap on a die or a square, one tap chooses
// color and face together.
import { $, h, setText } from './dom.js';
import { t } from './i18n.js';
import { colors, colorsOf, dieName, drawDie, squareName } from './dice.js';

/** choose asks what truly lies there. It gives {color, face}, {} where nothing lies, or null. */
export function choose(game, spot) {
  const dialog = $('correct');
  const old = spot.die;
  setText($('correct-title'), t('correct.title', { where: squareName(spot.row, spot.col) }));
  setText($('correct-now'), old ? t('correct.now', { die: dieName(old.color, old.face) }) : t('correct.nothing'));
  return new Promise((resolve) => {
    let answer = null;
    const pick = (value) => {
      answer = value;
      dialog.close();
    };
    const button = (color, face) => {
      const now = old && old.color === color && old.face === face;
      return h('button', {
        type: 'button', class: now ? 'now' : null, 'aria-label': dieName(color, face), 'aria-pressed': now ? 'true' : null,
        onclick: () => pick({ color, face }),
      }, drawDie(color, face));
    };
    const faces = (color) => (game === 'dice-flick' && color === 'pink' ? [0] : [1, 2, 3, 4, 5, 6]);
    $('correct-dice').replaceChildren(...(colorsOf[game] ?? colors).map((color) => h('div', { class: 'row', role: 'group', 'aria-label': t(`color.${color}`) }, faces(color).map((face) => button(color, face)))));
    $('correct-gone').hidden = !old;
    $('correct-gone').onclick = () => pick({});
    dialog.addEventListener('close', () => resolve(answer), { once: true });
    dialog.showModal();
  });
}
