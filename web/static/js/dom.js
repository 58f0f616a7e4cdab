// Building elements. Texts are set as text, never as markup: names come from people.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

/** h makes an HTML element with attributes (on… are listeners) and children. */
export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

/** s does the same for SVG. */
export const s = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

export const $ = (id) => document.getElementById(id);

/** refocus gives the keyboard its place back once that was drawn anew; the page stays where it is. */
export const refocus = (node) => node?.focus({ preventScroll: true });

/** setText changes a text only if it differs: screen readers repeat what is set. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
