// Which part of the picture is shown: the board and the dice, as large as they
// fit. It changes only when it has to, so that nothing wanders.

const margin = 0.07; // of the larger side of what is shown
const most = 3; // times that a part is made larger than the whole picture

function boxOf(seen) {
  const all = [...(seen.board?.found ? seen.board.corners : []), ...seen.dice.flatMap((die) => die.outline)];
  if (!all.length) return null;
  const xs = all.map((p) => p[0]), ys = all.map((p) => p[1]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const pad = margin * Math.max(x1 - x0, y1 - y0);
  return { x: x0 - pad, y: y0 - pad, w: x1 - x0 + 2 * pad, h: y1 - y0 + 2 * pad };
}

/** fit widens a box to a ratio, keeps it inside the picture where it can be, and from getting too small. */
function fit(box, ratio, width, height) {
  const whole = Math.max(width, height * ratio);
  const w = Math.min(whole, Math.max(box.w, box.h * ratio, whole / most));
  const h = w / ratio;
  const inside = (middle, size, limit) => (size >= limit ? (limit - size) / 2 : Math.min(Math.max(middle - size / 2, 0), limit - size));
  return { x: inside(box.x + box.w / 2, w, width), y: inside(box.y + box.h / 2, h, height), w, h };
}

const holds = (outer, inner) => inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.w <= outer.x + outer.w && inner.y + inner.h <= outer.y + outer.h;

/** Frame places an image and the svg over it in a stage. */
export class Frame {
  constructor(stage, image, svg) {
    Object.assign(this, { stage, image, svg, whole: false, box: null, ratio: 0 });
    new ResizeObserver(() => this.seen && this.show(this.seen)).observe(stage);
  }

  /** show makes sure that what is seen is in view. */
  show(seen) {
    this.seen = seen;
    const { width, height } = seen;
    const { clientWidth, clientHeight } = this.stage;
    if (!width || !height || !clientWidth || !clientHeight) return;
    const ratio = clientWidth / clientHeight;
    const all = { x: 0, y: 0, w: width, h: height };
    const part = (!this.whole && boxOf(seen)) || all;
    const known = this.box && this.ratio === ratio && this.size === `${width}x${height}`;
    if (known && !this.whole) {
      // A little of the margin may be lost, and a little room may be left over.
      const tight = { x: part.x + 0.05 * part.w, y: part.y + 0.05 * part.h, w: 0.9 * part.w, h: 0.9 * part.h };
      if (holds(this.box, tight) && this.box.w < 1.35 * fit(part, ratio, width, height).w) return;
    }
    this.box = fit(part, ratio, width, height);
    this.ratio = ratio;
    this.size = `${width}x${height}`;
    this.place(width, height);
  }

  place(width, height) {
    const { x, y, w, h } = this.box;
    this.svg.setAttribute('viewBox', `${x.toFixed(2)} ${y.toFixed(2)} ${w.toFixed(2)} ${h.toFixed(2)}`);
    Object.assign(this.image.style, {
      left: `${(-x / w) * 100}%`, top: `${(-y / h) * 100}%`, width: `${(width / w) * 100}%`, height: `${(height / h) * 100}%`,
    });
  }

  /** toggle shows the whole picture, or the part again. */
  toggle() {
    this.whole = !this.whole;
    this.box = null;
    if (this.seen) this.show(this.seen);
    return this.whole;
  }
}
