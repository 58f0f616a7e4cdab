// Where this table's pages and its API are: at the root at home, below /t/NAME in a hall.
export const root = location.pathname.match(/^\/t\/[0-9a-z-]+/)?.[0] ?? '';

/** below is an address of this table; what all tables share stays where it is. */
export const below = (path) => (path.startsWith('/') && !/^\/(static|hall|league)\b/.test(path) ? root + path : path);

/** pageName is which page of the table this is. */
export const pageName = location.pathname.slice(root.length) || '/';

/** arrives asks for what a page cannot do without, until the server answers: the network may change, the server may restart. */
export async function arrives(path, onWait) {
  for (;;) {
    try {
      return await fetch(path);
    } catch {
      onWait?.();
      await new Promise((resolve) => { setTimeout(resolve, 1000); });
    }
  }
}

// The links in a page's own text. Where it is a table of its own, they are right as they are.
if (root) {
  for (const link of document.querySelectorAll('a[href^="/"]')) link.setAttribute('href', below(link.getAttribute('href')));
  for (const frame of document.querySelectorAll('iframe[src^="/"]')) frame.setAttribute('src', below(frame.getAttribute('src')));
}

/** knownCode is the code that this browser has for this table. */
export const knownCode = () => localStorage.getItem(`table-code${root}`);
export const keepCode = (known) => localStorage.setItem(`table-code${root}`, known);
