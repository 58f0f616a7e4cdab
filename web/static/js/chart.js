// Charts, drawn as SVG. Colors and shapes come with the classes of seats.
import { h, s } from './dom.js';

/** bar is a value out of most with its words; mark is a second value, drawn as a stroke. */
export function bar(value, most, { label, note = '', mark = null, kind = '' }) {
  const across = (v) => Math.max(0, Math.min(1, v / most)) * 100;
  return h('div', { class: `bar1 ${kind}` }, h('p', {}, h('span', {}, label), h('b', {}, note)),
    s('svg', { viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      s('rect', { width: 100, height: 6, class: 'ground' }), s('rect', { width: across(value), height: 6, class: 'fill' }),
      mark === null ? null : s('rect', { x: Math.max(0, across(mark) - 0.8), width: 0.8, height: 6, class: 'mark' })));
}
