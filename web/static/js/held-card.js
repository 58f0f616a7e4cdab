// Secret cards that are held before the camera: a frame in its picture, which the card has to fill.
import { h, setText } from './dom.js';
import { t } from './i18n.js';
import { send } from './api.js';
import { told } from './refused.js';
import { root } from './root.js';

const share = 0.5; // of the picture's shorter side: what the server looks at
const pause = 700; // ms between two looks

/** framed is a picture with the frame over its middle; the frame keeps to the picture as that comes and is resized. */
export function framed(image) {
  const frame = h('i', { class: 'card-frame', 'aria-hidden': 'true' });
  const fit = () => {
    const { naturalWidth, naturalHeight, clientWidth, clientHeight } = image;
    const side = share * Math.min(naturalWidth, naturalHeight) * Math.min(clientWidth / naturalWidth, clientHeight / naturalHeight);
    frame.style.width = frame.style.height = `${side || 0}px`;
  };
  image.addEventListener('load', fit);
  new ResizeObserver(fit).observe(image);
  return frame;
}

/** holdUp asks for a player's card until the camera knows it or somebody closes the dialog: a tap tells as well. */
export function holdUp(player) {
  const image = h('img', { alt: '' });
  const say = h('p', { role: 'status' }, t('card.hold', { player }));
  const dialog = h('dialog', { class: 'hold-card', 'aria-label': t('card.hold.button', { player }) },
    h('div', { class: 'card-view' }, image, framed(image)), say, h('footer', {}, h('button', { type: 'button', onclick: () => dialog.close() }, t('do.cancel'))));
  let looking = 0;
  const look = async () => {
    try {
      const { card } = await send(`${root}/api/v1/card?player=${encodeURIComponent(player)}`, {});
      if (card) dialog.close();
      else setText(say, t('card.unknown', { player }));
    } catch (problem) {
      setText(say, told(problem));
    }
    if (dialog.open) looking = setTimeout(look, pause);
  };
  const draw = () => { if (dialog.open) image.src = `${root}/api/v1/preview.jpg?now=${Date.now()}`; };
  for (const event of ['load', 'error']) image.addEventListener(event, () => setTimeout(draw, pause / 4));
  dialog.addEventListener('close', () => {
    clearTimeout(looking);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  draw();
  look();
}
