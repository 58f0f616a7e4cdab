// The live connection: server-sent events for what happens, one picture after
// the other for what is seen. Both rest while nobody looks.
import { root } from './root.js';
const patience = 10_000; // ms a page may be hidden before it lets go of the server
const silence = 25_000; // ms without a word: the server says every 10 s that it is there, so the line is cut

/** listen calls on.match, on.seen, on.camera with news and on.link(true or false). */
export function listen(on) {
  let source = null;
  let last = '';
  let again = 0;
  let quiet = 0;

  function heard() {
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      on.link(false);
      open();
    }, silence);
  }

  function open() {
    clearTimeout(again);
    source?.close();
    heard();
    source = new EventSource(`${root}/api/v1/events${last ? `?after=${encodeURIComponent(last)}` : ''}`);
    for (const name of ['match', 'seen', 'camera']) {
      source.addEventListener(name, (event) => {
        heard();
        if (event.lastEventId) last = event.lastEventId;
        on[name](JSON.parse(event.data));
      });
    }
    source.addEventListener('here', heard);
    source.onopen = () => on.link(true);
    source.onerror = () => {
      on.link(false);
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, 2000);
    };
  }

  function close() {
    clearTimeout(quiet);
    clearTimeout(again);
    source?.close();
    source = null;
  }

  let rest = 0;
  addEventListener('pagehide', close); // a page that is left may be kept for "back": six such lines, and the browser opens no more
  document.addEventListener('visibilitychange', () => {
    clearTimeout(rest);
    if (document.hidden) rest = setTimeout(close, patience);
    else if (!source || source.readyState === EventSource.CLOSED) open();
  });
  open();
}

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

const seen = () => new Promise((resolve) => {
  if (!document.hidden) resolve();
  else document.addEventListener('visibilitychange', resolve, { once: true });
});

/** showPictures keeps an image up to date; one picture is in flight at a time. */
export async function showPictures(image, onFirst) {
  let number = 0;
  let shown = '';
  for (;;) {
    await seen();
    try {
      const answer = await fetch(`${root}/api/v1/preview.jpg?after=${number}`);
      if (answer.status !== 200) {
        await pause(answer.status === 204 ? 0 : 1000);
        continue;
      }
      number = Number(answer.headers.get('X-Picture'));
      const next = URL.createObjectURL(await answer.blob());
      image.src = next;
      await image.decode().catch(() => {});
      if (shown) URL.revokeObjectURL(shown);
      else onFirst?.();
      shown = next;
    } catch {
      await pause(1500);
    }
  }
}
