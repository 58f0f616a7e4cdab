// What a page must not look like: it gives the faults of what is on the screen, each with the elements it is
// about, and the places of what must not move. promised is what each prompt says can be tapped.
((promised) => {
  const faults = new Set(), slack = 1.5, finger = 44;
  const name = (e) => {
    const of = (x) => x.tagName.toLowerCase() + (x.id ? `#${x.id}` : '') + (x.dataset?.key ? `[${x.dataset.key}]` : '') + (x.getAttribute('class') ? `.${x.getAttribute('class').trim().replace(/\s+/g, '.')}` : '');
    const parent = !e.id && e.parentElement?.closest('[id]');
    return `${parent ? `#${parent.id} ` : ''}${of(e)} "${(e.getAttribute('aria-label') ?? e.textContent).trim().replace(/\s+/g, ' ').slice(0, 28)}"`;
  };
  const dialog = document.querySelector('dialog[open]') ?? document.querySelector('#menu-list:not([hidden])'), root = dialog ?? document.body;
  const across = document.documentElement.dataset.view !== undefined && document.documentElement.dataset.view !== 'table';
  scrollTo(0, 0);
  if (document.activeElement?.matches('[aria-invalid=true]')) document.activeElement.scrollIntoView({ block: 'center' }); // as the page did
  dispatchEvent(new Event('resize')); // the page brings into view what is to be tapped
  const from = scrollY;
  for (const e of root.querySelectorAll('*')) if (e.scrollTop && !e.matches('input')) e.scrollTop = 0;

  const style = new Map(), css = (e) => style.get(e) ?? style.set(e, getComputedStyle(e)).get(e);
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const up = function* (e) { for (let p = e.parentElement; p; p = p.parentElement) yield p; };
  const forTheEar = (e) => css(e).clipPath !== 'none' || [...up(e)].some((p) => css(p).clipPath !== 'none');
  const scrolls = (e, axis) => ['auto', 'scroll'].includes(axis === 'x' ? css(e).overflowX : css(e).overflowY);
  const pinOf = (e) => [e, ...up(e)].find((p) => ['fixed', 'sticky'].includes(css(p).position)) ?? null;

  /** part is what of a box is seen through what is around its element; null where that is nothing. It says what is cut off for good. */
  function part(e, box, text) {
    let { left, top, right, bottom } = box, hidden = false;
    if (css(e).position === 'fixed') return { left, top, right, bottom };
    for (const p of [e, ...up(e)].slice(text ? 0 : 1)) {
      if (p === document.body || p === document.documentElement) break;
      if (css(p).overflowX === 'visible' && css(p).overflowY === 'visible') { if (css(p).position === 'fixed') break; continue; }
      const r = p.getBoundingClientRect();
      if (right <= r.left || left >= r.right || bottom <= r.top || top >= r.bottom) return null;
      const cut = (!scrolls(p, 'x') && (left < r.left - slack || right > r.right + slack)) || (!scrolls(p, 'y') && (top < r.top - 2 * slack || bottom > r.bottom + 2 * slack));
      if (cut && !hidden && css(p).textOverflow !== 'ellipsis' && !p.matches('svg')) {
        faults.add(`cut off: ${name(e)} by ${name(p)}`);
        hidden = true;
      }
      [left, top, right, bottom] = [Math.max(left, r.left), Math.max(top, r.top), Math.min(right, r.right), Math.min(bottom, r.bottom)];
    }
    return { left, top, right, bottom };
  }

  const taps = [...root.querySelectorAll('a[href], button, select, input, summary, textarea')].filter((e) => shown(e) && !e.matches('.skip, input[type=file], label input[type=checkbox]'));
  const texts = [];
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || e.matches('option, script, style, .skip') || e.closest('svg') || !shown(e) || forTheEar(e)) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    for (const [i, r] of [...range.getClientRects()].entries()) if (r.width > 1) texts.push({ e, r, box: () => range.getClientRects()[i] ?? r });
  }
  const items = [
    ...taps.filter((e) => !forTheEar(e)).map((e) => ({ e, r: e.getBoundingClientRect(), box: () => e.getBoundingClientRect(), tap: true })),
    ...texts,
  ].map((it) => ({ ...it, seen: part(it.e, it.r, !it.tap), pin: pinOf(it.e) })).filter(({ seen }) => seen);

  // beyond the sides, too small, spilling over its button
  if (document.documentElement.scrollWidth > innerWidth) faults.add(`wider than the window: ${document.documentElement.scrollWidth} px`);
  for (const { e, r, seen, tap } of items) {
    if (seen.left < -slack || seen.right > innerWidth + slack) faults.add(`beyond the side: ${name(e)}`);
    const target = (e.matches('input, select') && e.closest('label')?.getBoundingClientRect()) || r;
    if (tap && (target.width < finger - 0.5 || target.height < finger - 0.5)) faults.add(`too small to tap: ${name(e)} ${target.width.toFixed()}x${target.height.toFixed()}`);
    const button = !tap && e.closest('button, .button, .count, .tapdie');
    if (button && css(button).textOverflow !== 'ellipsis') {
      const b = button.getBoundingClientRect();
      if (seen.left < b.left - slack || seen.right > b.right + slack || seen.top < b.top - 2 * slack || seen.bottom > b.bottom + 2 * slack) faults.add(`spills over: ${name(e)} out of ${name(button)}`);
    }
  }

  // one scroll bar, none where nobody scrolls
  const bars = [...root.querySelectorAll('*')].filter((e) => shown(e) && !e.matches('textarea, input, select') && ((scrolls(e, 'y') && e.scrollHeight > e.clientHeight + 1 && e.clientHeight > 0) || (scrolls(e, 'x') && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0)));
  if (dialog && scrolls(dialog, 'y') && dialog.scrollHeight > dialog.clientHeight + 1) bars.unshift(dialog);
  if (!dialog && document.documentElement.scrollHeight > innerHeight + 1 && css(document.body).overflowY !== 'hidden') bars.unshift(document.documentElement);
  if (bars.length > (across ? 0 : 1)) faults.add(`scroll bars: ${bars.map((e) => `${name(e)} ${e.scrollHeight} in ${e.clientHeight}`).join(' and ')}`);

  // over each other
  const over = (a, b) => Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  for (const [i, a] of items.entries()) {
    for (const b of items.slice(i + 1)) {
      if (a.e === b.e || a.e.contains(b.e) || b.e.contains(a.e) || a.pin !== b.pin) continue;
      if (over(a.seen, b.seen) > (a.tap && b.tap ? slack : 3)) faults.add(`overlap: ${name(a.e)} and ${name(b.e)}`);
    }
  }

  // under something else: everything can be scrolled to where it is in full view
  const pins = [...new Set(items.map(({ pin }) => pin).filter(Boolean))];
  const clear = new Set(), covered = new Map(), atOnce = new Set();
  const look = (first) => {
    for (const it of items) {
      if (clear.has(it) || css(it.e).pointerEvents === 'none') { clear.add(it); if (first && css(it.e).pointerEvents === 'none' && it.seen.bottom <= innerHeight) atOnce.add(it.e); continue; }
      const dy = it.pin ? 0 : scrollY - from; // pinned ones stay
      const now = it.pin ? part(it.e, it.box(), !it.tap) ?? it.seen : it.seen;
      const inset = it.tap ? 12 : 3; // corners are round
      const [l, r, t, b] = [now.left + inset, now.right - inset, now.top + inset - dy, now.bottom - inset - dy];
      if (t < -2 || b > innerHeight + 2) continue;
      const points = [[(l + r) / 2, (t + b) / 2], [l, t], [r, t], [l, b], [r, b]];
      const top = points.map(([x, y]) => document.elementFromPoint(x, y)).find((at) => at && !at.contains(it.e) && !it.e.contains(at) && !(it.e.closest('label')?.contains(at)));
      if (!top) { clear.add(it); if (first) atOnce.add(it.e); } else covered.set(it, top);
    }
  };
  look(true);
  const step = Math.max(90, (innerHeight - pins.filter((p) => css(p).position === 'sticky').reduce((sum, p) => sum + p.offsetHeight, 0)) / 2);
  if (!dialog && clear.size < items.length) for (let y = 0; y < document.documentElement.scrollHeight + step; y += step) { scrollTo(0, y); look(false); }
  scrollTo(0, from);
  for (const it of items) {
    if (clear.has(it) || [...up(it.e)].some((p) => p !== document.documentElement && (scrolls(p, 'y') || scrolls(p, 'x')))) continue;
    faults.add(covered.has(it) ? `covered: ${name(it.e)} by ${name(covered.get(it))}` : `cannot be seen in full: ${name(it.e)}`);
  }

  // what is to be tapped now, what is asked and what was just decided is in view at once
  const inView = (e) => {
    const r = e.getBoundingClientRect(), seen = part(e, r);
    return Boolean(seen) && r.width > 0 && Math.abs(seen.top - r.top) < 3 && Math.abs(seen.bottom - r.bottom) < 3 && r.top >= -1 && r.bottom <= innerHeight + 1 && (atOnce.has(e) || [...e.querySelectorAll('*')].some((x) => atOnce.has(x)) || !items.some((it) => it.e === e || e.contains(it.e)));
  };
  const first = dialog ? 'button.main' : 'main button.main, .wiz-foot #next, main:not(:has([data-kind=ask])) #table-todo:not(:empty), #verdict-text:not(:empty), [data-kind=bad] #verdict-why:not(:empty), [data-kind=ask] #verdict-choices button, .tried p, .tried button, .finale h2, .final li, button.card, .problem, #undo, #moved, #moved a';
  for (const e of root.querySelectorAll(first)) if (shown(e) && !inView(e)) faults.add(`not in view: ${name(e)}`);
  const todo = promised[document.getElementById('table')?.dataset.todo];
  if (todo && !dialog && !across && !document.getElementById('table').hidden && document.querySelector('.tried')?.hidden && document.getElementById('verdict').dataset.kind !== 'ask') {
    const list = [...document.querySelectorAll(todo)].filter((e) => !e.disabled && shown(e));
    if (list.length && !list.some(inView)) faults.add(`what the prompt names is not in view: ${name(list[0])}`);
  }

  const place = (selector) => { const e = [...document.querySelectorAll(selector)].find(shown), r = e?.getBoundingClientRect(); return r ? [r.x, r.y, r.width, r.height].map((v) => Math.round(v)).join(' ') : ''; };
  return { faults: [...faults], places: { undo: place('#undo'), redo: place('#redo'), board: place('#table-body .grid5'), picture: place('#stage'), scores: place('.scores') } };
})
