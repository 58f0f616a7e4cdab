// The screen stays on while somebody looks at the table, where the browser allows it.
let lock = null;

/** hold asks for the screen again: the browser lets go of it whenever the page is hidden. */
async function hold() {
  if (document.hidden || (lock && !lock.released)) return;
  try {
    lock = (await navigator.wakeLock?.request('screen')) ?? null;
  } catch {
    lock = null; // a device that saves power may refuse
  }
}

/** stayAwake keeps the screen on from now on. */
export function stayAwake() {
  document.addEventListener('visibilitychange', hold);
  hold();
}
