// Charts, drawn as SVG. Colors and shapes come with the classes of seats.
import { h, s } from './dom.js';
import { below } from './root.js';

/** bar is a value out of most with its words; mark is a second value, drawn as a stroke. */
export function bar(value, most, { label, note = '', mark = null, kind = '' }) {
  const across = (v) => Math.max(0, Math.min(1, v / most)) * 100;
  return h('div', { class: `bar1 ${kind}` }, h('p', {}, h('span', {}, label), h('b', {}, note)),
    s('svg', { viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      s('rect', { width: 100, height: 6, class: 'ground' }), s('rect', { width: across(value), height: 6, class: 'fill' }),
      mark === null ? null : s('rect', { x: Math.max(0, across(mark) - 0.8), width: 0.8, height: 6, class: 'mark' })));
}

const wide = 400, high = 190, left = 34, right = 372, top = 12, foot = 166;

/** grades are the round numbers beside a chart that reach from low to high. */
function grades(low, high) {
  const span = Math.max(1, high - low);
  const steps = [1, 2, 5].flatMap((n) => [n, n * 10, n * 100, n * 1000]).sort((a, b) => a - b);
  const step = steps.find((each) => span / each <= 5) ?? span;
  const first = Math.floor(low / step), last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** ground is the scale of a chart; y(value) is where a value stands. */
function ground(values) {
  const marks = grades(Math.min(0, ...values), Math.max(0, ...values));
  const y = (value) => foot - (value - marks[0]) / (marks.at(-1) - marks[0]) * (foot - top);
  return { y, lines: marks.map((value) => [s('path', { class: 'grade', d: `M${left} ${y(value)}H${right}` }), s('text', { class: 'number', x: left - 6, y: y(value) + 4 }, String(value))]) };
}

/** sized gives a drawing its place in a chart. */
function sized(node, x, y) {
  for (const [name, value] of Object.entries({ x, y, width: 18, height: 18 })) node.setAttribute(name, value);
  return node;
}

/** apart moves marks that would lie over each other up and down. */
function apart(list) {
  const sorted = list.map((y, i) => ({ y, i })).sort((a, b) => a.y - b.y);
  sorted.forEach((each, k) => { if (k) each.y = Math.max(each.y, sorted[k - 1].y + 19); });
  const over = Math.max(0, (sorted.at(-1)?.y ?? 0) - foot);
  return sorted.reduce((out, { y, i }) => Object.assign(out, { [i]: y - over }), []);
}

/**
 * lines shows how values went on: series is a list of { name, look, sign, values }, sign()
 * being its drawing. mark(i) shows the values at i; a tap on the chart calls onTap(i).
 */
export function lines(title, series, onTap) {
  const last = Math.max(1, series[0].values.length - 1);
  const x = (i) => left + i / last * (right - left);
  const { y, lines: scale } = ground(series.flatMap(({ values }) => values));
  const way = ({ values }) => values.map((value, i) => (i ? `H${x(i).toFixed(1)}V${y(value).toFixed(1)}` : `M${left} ${y(value).toFixed(1)}`)).join('');
  const ends = apart(series.map(({ values }) => y(values.at(-1))));
  const cursor = s('path', { class: 'cursor' });
  const dots = series.map(({ look }) => s('circle', { class: `dot ${look}`, r: 4.5 }));
  const now = series.map(() => h('b', {}));
  const tap = (event) => {
    const box = svg.getBoundingClientRect();
    onTap(Math.max(0, Math.min(last, Math.round(((event.clientX - box.left) / box.width * wide - left) / (right - left) * last))));
  };
  const svg = s('svg', { viewBox: `0 0 ${wide} ${high}`, class: 'plot', role: 'img', 'aria-label': title, onclick: tap },
    scale, cursor, series.map((each) => s('path', { class: `way ${each.look}`, d: way(each) })), dots,
    series.map(({ look, sign }, i) => s('g', { class: look }, sized(sign(), right + 6, ends[i] - 9))));
  const mark = (i) => {
    cursor.setAttribute('d', `M${x(i)} ${top - 6}V${foot + 6}`);
    series.forEach(({ values }, k) => {
      dots[k].setAttribute('cx', x(i));
      dots[k].setAttribute('cy', y(values[i]));
      now[k].textContent = String(values[i]);
    });
  };
  return { node: figure(title, svg, series, now), mark };
}

/** rounds shows values beside each other, round by round; null is a round without one. */
export function rounds(title, series) {
  const n = series[0].values.length, room = (right - left) / n, thick = Math.min(16, room * 0.8 / series.length);
  const { y, lines: scale } = ground(series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const column = (value, k, i) => {
    if (value === null) return null;
    const at = [y(value), y(0)].sort((a, b) => a - b);
    return s('rect', { class: `column ${series[k].look}`, x: left + (i + 0.5) * room + (k - series.length / 2) * thick, y: at[0], width: thick * 0.88, height: Math.max(1, at[1] - at[0]), rx: 1.5 });
  };
  return figure(title, s('svg', { viewBox: `0 0 ${wide} ${high}`, class: 'plot', role: 'img', 'aria-label': title }, scale,
    series.map(({ values }, k) => values.map((value, i) => column(value, k, i))),
    Array.from({ length: n }, (_, i) => s('text', { class: 'number below', x: left + (i + 0.5) * room, y: foot + 17 }, String(i + 1)))), series);
}

/** figure is a chart with its title and who is who in it. */
const figure = (title, svg, series, now = []) => h('figure', { class: 'leaf chart' }, h('figcaption', {}, title), svg,
  h('ul', { class: 'who' }, series.map(({ name, look, sign }, i) => h('li', { class: look }, sign(), h('span', {}, name), now[i]))));
