// How other devices come to the table, and the button that lets them: nothing else at this
// machine has to be typed or started again.
import { send } from './api.js';
import { told } from './refused.js';
import { knownCode, root } from './root.js';

const withCode = (path) => {
  const code = knownCode();
  return fetch(path, { headers: code ? { 'X-Table-Code': code } : {} });
};

/** joining is how others reach the table; null where this device may not tell. */
export async function joining() {
  const answer = await withCode(`${root}/api/v1/join`).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/** draw makes an image the code that leads a phone to a page; false where none can come. */
export async function draw(image, to) {
  const answer = await withCode(`${root}/api/v1/join.svg?to=${to}`).catch(() => null);
  if (!answer?.ok) return false;
  const old = image.src;
  image.src = URL.createObjectURL(await answer.blob());
  if (old) URL.revokeObjectURL(old);
  return true;
}

/** allow lets other devices open the page from now on; it returns how, or throws what the server says. */
export const allow = () => send(`${root}/api/v1/join`, {});

/** offer makes a button the one that allows other devices: then() is told how they come, say() what went wrong. */
export function offer(button, then, say) {
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      then(await allow());
    } catch (problem) {
      say(told(problem));
    }
    button.disabled = false;
  });
}
