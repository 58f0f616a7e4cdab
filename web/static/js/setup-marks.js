// The stickers of an arena: what they are called and how they are drawn.
import { s } from './dom.js';

export const kinds = ['center', 'bonus', 'blue', 'yellow', 'green'];

const shapes = {
  center: 'M12 6a6 6 0 1 0 .01 0M12 10.5a1.5 1.5 0 1 0 .01 0',
  bonus: 'M12 4l2.3 5.2 5.7.600-4.2 3.8 1.2 5.6-5-2.9-5 2.9 1.2-5.6L4 9.8l5.7-.6z',
  blue: 'M12 5v14M6 11l6-6 6 6',
  yellow: 'M12 5v14M6 11l6-6 6 6',
  green: 'M12 5v14M6 11l6-6 6 6',
};

/** drawMarker is a sticker as a small picture. */
export const drawMarker = (kind) => s('svg', { viewBox: '0 0 24 24', class: `marker ${kind}`, 'aria-hidden': 'true' },
  s('circle', { cx: 12, cy: 12, r: 11, class: 'ground' }), s('path', { d: shapes[kind] ?? shapes.center }));
