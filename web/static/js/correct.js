// Putting something right: one tap says what it is in truth.
import { $, h, setText } from './dom.js';
import { t } from './i18n.js';
import { colors, colorsOf, dieName, drawDie, squareName } from './dice.js';
import { likely, rivalsAt } from './likely.js';

/**
 * offer shows rows of what something may be: each row has a label, buttons ({node, label, value,
 * now}), and how many fit beside each other. It gives the value that is tapped, offer.gone,
 * offer.back, or null if the dialog was closed.
 */
export function offer({ title, note, rows, gone, back }) {
  const dialog = $('correct');
  setText($('correct-title'), title);
  setText($('correct-now'), note);
  return new Promise((resolve) => {
    let answer = null;
    const pick = (value) => {
      answer = value;
      dialog.close();
    };
    const button = ({ node, label, value, now }) => h('button', { type: 'button', class: now ? 'now' : null, 'aria-label': label, 'aria-pressed': now ? 'true' : null, onclick: () => pick(value) }, node);
    $('correct-dice').replaceChildren(...rows.map(({ label, many = 6, title: sign, class: name = '', buttons }) => h('div', { class: `row of${many} ${name}`, role: 'group', 'aria-label': label }, sign ? h('b', { 'aria-hidden': 'true' }, sign) : null, buttons.map(button))));
    for (const [id, text, value] of [['correct-gone', gone, offer.gone], ['correct-back', back, offer.back]]) {
      $(id).hidden = !text;
      setText($(id), text ?? '');
      $(id).onclick = () => pick(value);
    }
    dialog.addEventListener('close', () => resolve(answer), { once: true });
    dialog.showModal();
  });
}
offer.gone = Symbol('gone');
offer.back = Symbol('back');

/** likelyRow is a first row with the likely dice, none where nothing is; value(die) is what tapping one means. */
export const likelyRow = (dice, value) => (dice.length ? [{
  label: t('correct.likely'), class: 'likely', buttons: dice.map(({ color, face }) => ({ node: drawDie(color, face), label: dieName(color, face), value: value({ color, face }) })),
}] : []);

/** choose asks what truly lies there. It gives {color, face}, {} where nothing lies, or null. */
export async function choose(match, spot) {
  const { game } = match, old = spot.die;
  const first = likely(match, old, match.to_move, old ? await rivalsAt(spot.row, spot.col) : []);
  const faces = (color) => (game === 'dice-flick' && color === 'pink' ? [0] : [1, 2, 3, 4, 5, 6]);
  const answer = await offer({
    title: t('correct.title', { where: squareName(spot.row, spot.col) }), note: old ? t('correct.now', { die: dieName(old.color, old.face) }) : t('correct.nothing'), gone: old ? t('correct.gone') : '',
    rows: [...likelyRow(first, (die) => die), ...(colorsOf[game] ?? colors).map((color) => ({
      label: t(`color.${color}`), buttons: faces(color).map((face) => ({ node: drawDie(color, face), label: dieName(color, face), value: { color, face }, now: old?.color === color && old.face === face })),
    }))],
  });
  return answer === offer.gone ? {} : answer;
}
