// How the overlay of a stream looks, as its address says: /overlay?parts=scores,move&side=right&size=150.
import { below } from './root.js';
export const parts = ['scores', 'move', 'table'];
export const sides = ['left', 'right'];
export const scales = [50, 75, 100, 125, 150, 200];

/** dress has the page show what its address asks for; what makes no sense there is left out. */
export function dress(query) {
  const root = document.documentElement, wanted = Object.fromEntries(new URLSearchParams(query));
  const shown = wanted.parts?.split(',') ?? parts;
  root.dataset.without = parts.filter((part) => !shown.includes(part)).join(' ');
  if (sides.includes(wanted.side)) root.dataset.side = wanted.side;
  if (scales.includes(Number(wanted.size))) root.style.setProperty('--scale', String(wanted.size / 100));
}

/** address is where the overlay looks like that; what is usual is not said. */
export function address({ shown, side, scale }) {
  const all = [shown.length < parts.length ? `parts=${shown.join(',')}` : '', side === sides[0] ? '' : `side=${side}`, scale === 100 ? '' : `size=${scale}`];
  return below(`/overlay${all.some(Boolean) ? '?' : ''}${all.filter(Boolean).join('&')}`);
}
