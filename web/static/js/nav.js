// The menu of pages, the same on every page; and the buttons for light and language.
import { h, s } from './dom.js';
import { t } from './i18n.js';
import { below, pageName, root } from './root.js';

/** Pages in the order of the menu, each with its drawing. Those that the server does not have are left out. */
const pages = {
  '/': 'M4 5h16v11H4zM9 20h6M12 16v4',
  '/setup': 'M4 7h9M17 7h3M4 12h3M11 12h9M4 17h11M19 17h1M15 5v4M9 10v4M17 15v4',
  '/play': 'M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zM11 18h2',
  '/camera': 'M3 8.5h4L9 5h6l2 3.5h4V19H3zM12 10a3.6 3.6 0 1 0 .01 0',
  '/league': 'M7 4h10v5a5 5 0 0 1-10 0zM7 6H4a3 3 0 0 0 3 4M17 6h3a3 3 0 0 1-3 4M12 14v4M8 20h8',
  '/history': 'M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4.5l3 2',
  '/print': 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  '/tv': 'M3 5h18v12H3zM8 21h8',
  '/stream': 'M3 5h18v14H3zM6 15h7M6 12h4M16 9.5v5l3-2.5z',
  '/dice': 'M4 4h16v16H4zM12 8.2l1.2 2.6 2.8.3-2.1 1.9.6 2.8-2.5-1.4-2.5 1.4.6-2.8L8 11.1l2.8-.3z',
  '/drop': 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4',
};

const known = () => (document.documentElement.dataset.pages ?? '').split(' ');

/** showMenu puts the menu into the page's bar, with what else can be done there below; it is opened by a button and closed by Escape or a tap elsewhere. */
export function showMenu(...more) {
  const nav = document.querySelector('.bar nav');
  if (!nav) return;
  const here = pageName;
  const hall = root || known().includes('/hall') ? h('li', {}, h('a', { href: '/hall' }, s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z' })), t('menu.hall'))) : [];
  const list = h('ul', { id: 'menu-list', hidden: true }, hall, Object.entries(pages).filter(([path]) => known().includes(path) || (root && path === '/league')).map(([path, d]) => h('li', {},
    h('a', { href: below(path), 'aria-current': path === here ? 'page' : null },
      s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d })), t(`menu.${path.slice(1) || 'table'}`)))), more.map((item) => h('li', {}, item)));
  const button = h('button', { type: 'button', id: 'menu', 'aria-expanded': 'false', 'aria-controls': 'menu-list', 'aria-label': t('menu.open') },
    s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: 'M4 6.5h16M4 12h16M4 17.5h16' })));
  const main = document.querySelector('main');
  const open = (on) => {
    list.hidden = !on;
    main.inert = on; // what the menu half covers cannot be tapped by mistake: a tap there closes it
    button.setAttribute('aria-expanded', String(on));
  };
  button.addEventListener('click', () => {
    open(list.hidden);
    if (!list.hidden) list.querySelector('a')?.focus();
  });
  document.addEventListener('click', (event) => { if (!nav.contains(event.target) || more.some((item) => item.contains(event.target))) open(false); });
  nav.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a, button')].filter((each) => !each.hidden);
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape' && !list.hidden) {
      open(false);
      button.focus();
    } else if (at >= 0 && ['ArrowDown', 'ArrowUp'].includes(event.key)) {
      event.preventDefault();
      links[(at + (event.key === 'ArrowDown' ? 1 : links.length - 1)) % links.length].focus();
    }
  });
  nav.append(button, list);
}
