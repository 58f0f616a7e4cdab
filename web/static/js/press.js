// A tap is lost if the button it began on is drawn anew before it ends: what is drawn
// again and again waits for that long.
const patience = 300; // ms from a finger's leaving to the click that follows it, at most

let down = false;
let late = 0;
const waiting = new Map();

function release() {
  clearTimeout(late);
  down = false;
  const all = [...waiting.values()];
  waiting.clear();
  for (const draw of all) draw();
}

addEventListener('pointerdown', (event) => {
  if (event.isPrimary && event.button === 0 && event.target.closest?.('button, a')) {
    clearTimeout(late);
    down = true;
  }
}, true);
for (const end of ['pointerup', 'pointercancel']) {
  addEventListener(end, () => {
    if (down) late = setTimeout(release, patience);
  }, true);
}
addEventListener('click', release);

/** unpressed draws at once, or when the tap that is under way has ended; of several drawings of one name the last. */
export function unpressed(name, draw) {
  if (down) waiting.set(name, draw);
  else draw();
}
