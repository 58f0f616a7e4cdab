// Points over a picture that are dragged with a finger, a mouse or the arrow keys.
import { s } from './dom.js';

const reach = 24; // CSS pixels around a point that belong to it
const step = 0.004; // of the picture's width, for one press of an arrow key
const rest = 700; // ms without a key until what was moved counts

const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Handles are draggable points in an svg whose units are pixels of the picture. */
export class Handles {
  /** on.move(points) while they move, on.done(points) when they stay; on.label(i) names a point. */
  constructor(svg, on) {
    Object.assign(this, { svg, on, points: [], held: -1, size: [1, 1], late: 0 });
    this.group = s('g', { class: 'handles' });
    new ResizeObserver(() => this.draw()).observe(svg);
  }

  /** show puts the points where they are, unless somebody holds one. */
  show(points, size) {
    if (this.held >= 0 || this.late) return;
    const same = points.length === this.points.length;
    this.points = points.map((p) => [...p]);
    this.size = size;
    if (!same || !this.group.isConnected) this.build();
    else this.draw();
  }

  /** busy says whether somebody is moving a point. */
  get busy() { return this.held >= 0 || this.late !== 0; }

  build() {
    this.group.replaceChildren(...this.points.map((_, i) => {
      const node = s('g', { class: 'handle', role: 'button', tabindex: 0, 'aria-label': this.on.label(i) },
        s('circle', { class: 'reach' }), s('circle', { class: 'ring' }), s('circle', { class: 'dot' }));
      node.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        this.held = i;
        try {
          node.setPointerCapture(event.pointerId);
        } catch { /* a pointer that is gone already */ }
        node.focus();
      });
      node.addEventListener('pointermove', (event) => this.drag(event));
      for (const name of ['pointerup', 'pointercancel']) node.addEventListener(name, () => this.drop());
      node.addEventListener('keydown', (event) => this.key(event, i));
      return node;
    }));
    this.svg.append(this.group);
    this.draw();
  }

  /** draw places the points; their size is that of a finger, whatever the picture's. */
  draw() {
    const scale = this.svg.getScreenCTM()?.a || 1;
    [...this.group.children].forEach((node, i) => {
      const [x, y] = this.points[i];
      node.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      [reach, 11, 3].forEach((r, k) => node.children[k].setAttribute('r', (r / scale).toFixed(2)));
    });
  }

  put(i, x, y) {
    this.points[i] = [Math.min(Math.max(x, 0), this.size[0]), Math.min(Math.max(y, 0), this.size[1])];
    this.draw();
    this.on.move(this.points);
  }

  drag(event) {
    if (this.held < 0) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    this.put(this.held, at.x, at.y);
  }

  drop() {
    if (this.held < 0) return;
    this.held = -1;
    this.on.done(this.points);
  }

  key(event, i) {
    const to = way[event.key];
    if (!to) return;
    event.preventDefault();
    const far = this.size[0] * step * (event.shiftKey ? 5 : 1);
    clearTimeout(this.late);
    this.late = setTimeout(() => {
      this.late = 0;
      this.on.done(this.points);
    }, rest);
    this.put(i, this.points[i][0] + to[0] * far, this.points[i][1] + to[1] * far);
  }
}
