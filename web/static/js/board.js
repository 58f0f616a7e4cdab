// The drawing over a picture: grid, squares and dice, in pixels of the picture.
import { refocus, s } from './dom.js';
import { percent, t } from './i18n.js';
import { dieName, pictureOn, squareName } from './dice.js';

const points = (list) => list.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');

/**
 * perspective maps the unit square onto four corners, clockwise from that of
 * row 0, column 0: (0,0) is the first, (1,0) the second.
 */
export function perspective([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const dx1 = x1 - x2, dx2 = x3 - x2, dx3 = x0 - x1 + x2 - x3;
  const dy1 = y1 - y2, dy2 = y3 - y2, dy3 = y0 - y1 + y2 - y3;
  const d = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const g = (dx3 * dy2 - dx2 * dy3) / d;
  const k = (dx1 * dy3 - dx3 * dy1) / d;
  return (u, v) => {
    const w = g * u + k * v + 1;
    return [((x1 - x0 + g * x1) * u + (x3 - x0 + k * x3) * v + x0) / w, ((y1 - y0 + g * y1) * u + (y3 - y0 + k * y3) * v + y0) / w];
  };
}

function drawGrid(at, rows, cols) {
  const lines = [];
  for (let i = 0; i <= rows; i++) lines.push([at(0, i / rows), at(1, i / rows)]);
  for (let i = 0; i <= cols; i++) lines.push([at(i / cols, 0), at(i / cols, 1)]);
  const d = lines.map(([[a, b], [c, e]]) => `M${a.toFixed(1)} ${b.toFixed(1)}L${c.toFixed(1)} ${e.toFixed(1)}`).join('');
  return s('g', { class: 'grid', 'aria-hidden': 'true' }, s('path', { d, class: 'casing' }), s('path', { d }));
}

const describe = (die) => t(die.sure ? 'die.sure' : 'die.doubtful', {
  die: dieName(die.color, die.face), confidence: percent(die.confidence),
});

function drawDie(die, least) {
  const outline = die.outline;
  const edge = outline.reduce((sum, [x, y], i) => {
    const [a, b] = outline[(i + 1) % 4];
    return sum + Math.hypot(a - x, b - y) / 4;
  }, 0);
  const r = Math.max(edge * 0.31, least);
  // The badge sits at the corner that is farthest up and right, off the pips.
  const [bx, by] = outline.reduce((best, p) => (p[0] - p[1] > best[0] - best[1] ? p : best));
  const icon = pictureOn(die.color, die.face, [bx, by], 2 * r);
  const label = `${die.face ?? ''}${die.sure ? '' : '?'}`;
  return s('g', { class: `found ${die.color}${die.sure ? '' : ' doubtful'}` },
    s('title', {}, describe(die)),
    s('polygon', { points: points(outline), class: 'casing' }),
    s('polygon', { points: points(outline), class: 'edge', 'stroke-width': (1.5 + 2 * die.confidence).toFixed(1), 'stroke-opacity': (0.45 + 0.55 * die.confidence).toFixed(2) }),
    s('circle', { cx: bx.toFixed(1), cy: by.toFixed(1), r: r.toFixed(1), class: 'badge' }),
    icon ?? s('text', { x: bx.toFixed(1), y: by.toFixed(1), 'font-size': (r * (label.length > 1 ? 1.15 : 1.45)).toFixed(1), class: 'digit' }, label));
}

/**
 * Overlay draws observations into an svg whose view box is set elsewhere. With onTap, squares can be tapped, and chosen with the keyboard: arrows go over the squares.
 */
export class Overlay {
  constructor(svg, onTap) {
    this.svg = svg;
    this.onTap = onTap;
    this.focus = 12; // the square that the Tab key reaches
    this.mark = null;
    this.pointed = {};
    if (!onTap) return;
    svg.addEventListener('keydown', (event) => this.key(event));
    // A new drawing may come between finger down and finger up: what counts is
    // what lies there now.
    svg.addEventListener('click', (event) => {
      const spot = event.target.closest('[data-spot]') ?? document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-spot]');
      if (spot) onTap(this.what.get(spot.dataset.spot));
    });
  }

  draw(seen) {
    this.seen = seen;
    const { svg } = this;
    const had = document.activeElement?.closest?.('[data-spot]')?.dataset.spot;
    const parts = [];
    const board = seen.board?.found ? seen.board : null;
    this.at = board && perspective(board.corners);
    if (board) {
      parts.push(drawGrid(this.at, board.rows, board.cols));
      parts.push(this.pointers(), this.marked());
    }
    const least = seen.width / 90;
    parts.push(s('g', { class: 'dice', 'aria-hidden': this.onTap ? 'true' : null }, seen.dice.map((die) => drawDie(die, least))));
    if (this.onTap) parts.push(this.spots(board));
    svg.replaceChildren(...parts.filter(Boolean));
    if (had) refocus(svg.querySelector(`[data-spot="${had}"]`));
  }

  /** highlight marks where the last move went. */
  highlight(mark) {
    this.mark = mark;
    if (this.seen) this.draw(this.seen);
  }

  /** point marks squares: dead ones, or those that would count best. */
  point(squares) {
    this.pointed = squares;
    if (this.seen) this.draw(this.seen);
  }

  pointers() {
    const group = s('g', { class: 'pointed', 'aria-hidden': 'true' });
    for (const [kind, list] of Object.entries(this.pointed)) {
      for (const [row, col, label] of list) {
        const [a, b, c, d] = this.cell(row, col);
        if (label) {
          const x = (a[0] + b[0] + c[0] + d[0]) / 4, y = (a[1] + b[1] + c[1] + d[1]) / 4;
          group.append(s('text', { x, y, class: `${kind} values`, 'font-size': (Math.hypot(a[0] - c[0], a[1] - c[1]) / 5.5).toFixed(1) }, label));
        }
        group.append(kind === 'dead' ? s('path', { class: kind, d: `M${a}L${c}M${b}L${d}` }) : s('polygon', { class: kind, points: points([a, b, c, d]) }));
      }
    }
    return group;
  }

  marked() {
    const { mark, at } = this;
    if (!mark?.to) return null;
    const cell = (row, col) => points(this.cell(row, col));
    const kind = mark.legal === false ? 'bad' : 'good';
    const group = s('g', { class: `mark ${kind}`, 'aria-hidden': 'true' }, s('polygon', { points: cell(...mark.to) }));
    if (mark.from) {
      group.prepend(s('polygon', { points: cell(...mark.from), class: 'from' }));
      const [a, b] = at((mark.from[1] + 0.5) / 5, (mark.from[0] + 0.5) / 5);
      const [c, d] = at((mark.to[1] + 0.5) / 5, (mark.to[0] + 0.5) / 5);
      group.append(s('path', { d: `M${a} ${b}L${c} ${d}`, class: 'way' }));
    }
    return group;
  }

  cell(row, col) {
    const { at, seen: { board: { rows, cols } } } = this;
    return [[col, row], [col + 1, row], [col + 1, row + 1], [col, row + 1]].map(([u, v]) => at(u / cols, v / rows));
  }

  /** spots are the places that can be tapped: the squares. */
  spots(board) {
    this.what = new Map();
    const group = s('g', { class: 'spots' });
    const dice = new Map(this.seen.dice.filter((d) => d.row !== null).map((d) => [d.row * 5 + d.col, d]));
    if (board) {
      for (let i = 0; i < board.rows * board.cols; i++) {
        const row = Math.floor(i / board.cols), col = i % board.cols;
        const die = dice.get(i);
        const label = t('square.label', { square: squareName(row, col), what: die ? describe(die) : t('square.empty') });
        group.append(this.spot(i, this.cell(row, col), label, { row, col, die }, i === this.focus));
      }
    }
    return group;
  }

  spot(id, shape, label, what, tab) {
    this.what.set(String(id), what);
    return s('polygon', {
      points: points(shape), class: 'spot', role: 'button', tabindex: tab ? 0 : -1, 'data-spot': id, 'aria-label': label,
    });
  }

  key(event) {
    const at = Number(event.target.dataset?.spot);
    if (Number.isNaN(at)) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.onTap(this.what.get(event.target.dataset.spot));
      return;
    }
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step || at >= 25) return;
    event.preventDefault();
    const row = Math.floor(at / 5) + step[0], col = (at % 5) + step[1];
    if (row < 0 || row > 4 || col < 0 || col > 4) return;
    this.focus = row * 5 + col;
    event.target.setAttribute('tabindex', -1);
    const next = this.svg.querySelector(`[data-spot="${this.focus}"]`);
    next?.setAttribute('tabindex', 0);
    next?.focus();
  }
}
