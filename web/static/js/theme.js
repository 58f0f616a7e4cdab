// Light, dark, or as the device says.
const themes = ['auto', 'light', 'dark'];

function apply(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** nextTheme goes to the next one and returns its name. */
export function nextTheme() {
  const next = themes[(themes.indexOf(localStorage.getItem('theme') ?? 'auto') + 1) % themes.length];
  localStorage.setItem('theme', next);
  apply(next);
  return next;
}

apply(localStorage.getItem('theme') ?? 'auto');
