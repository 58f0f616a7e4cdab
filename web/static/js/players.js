// Players are told apart by a shape and a color, always the same for a seat.
import { s } from './dom.js';

const shapes = [
  () => s('circle', { cx: 12, cy: 12, r: 9.5 }),
  () => s('path', { d: 'M12 2 22.5 21h-21z' }),
  () => s('rect', { x: 3, y: 3, width: 18, height: 18, rx: 2 }),
  () => s('path', { d: 'M12 1 22.5 12 12 23 1.5 12z' }),
  () => s('path', { d: 'M12 1.5 21.3 6.8v10.4L12 22.5 2.7 17.2V6.8z' }),
];

/** crown is what a winner wears; with a label it is told as well. */
export const crown = (label) => s('svg', { viewBox: '0 0 24 24', class: 'crown', role: label ? 'img' : null, 'aria-label': label, 'aria-hidden': label ? null : 'true' }, s('path', { d: 'M3 7.5 7.5 12 12 4.5 16.5 12 21 7.5 19 19H5z' }));

/** token is the mark of a seat. */
export function token(seat) {
  const i = ((seat % shapes.length) + shapes.length) % shapes.length;
  return s('svg', { viewBox: '0 0 24 24', class: `token seat${i}`, 'aria-hidden': 'true' }, shapes[i]());
}
