// A dialog that asks for one of a few things.
import { $, h, setText } from './dom.js';

/**
 * chooseOne shows rows of choices ({node, label, value, now, class}) and gives the value
 * of the one tapped; null if the dialog was closed.
 */
export function chooseOne(title, rows, note = '') {
  const dialog = $('choose');
  setText($('choose-title'), title);
  setText($('choose-note'), note);
  return new Promise((resolve) => {
    const end = (answer) => {
      dialog.removeEventListener('close', closed);
      resolve(answer);
    };
    const closed = () => {
      if (!dialog.open) end(null); // open: it is the question before this one that was closed
    };
    const button = (choice) => h('button', {
      type: 'button', class: [choice.class, choice.now ? 'now' : ''].filter(Boolean).join(' ') || null, 'aria-label': choice.label,
      'aria-pressed': choice.now ? 'true' : null, 'data-choice': choice.label,
      onclick: () => {
        dialog.close();
        end(choice.value); // at once: what is tapped next must find it chosen
      },
    }, choice.node ?? choice.label);
    $('choose-rows').replaceChildren(...rows.filter((row) => row.length).map((row) => h('div', { class: `row many${Math.min(row.length, 6)}`, role: 'group' }, row.map(button))));
    dialog.addEventListener('close', closed);
    dialog.showModal();
  });
}
