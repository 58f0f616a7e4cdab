// The phone as the camera: one picture after the other is sent to the table, the
// next one not before the last has arrived.
import { $, h, setText } from './dom.js';
import { loadWords, otherLanguage, t } from './i18n.js';
import { send } from './api.js';
import { Overlay } from './board.js';
import { Lens } from './lens.js';
import { told } from './refused.js';
import { root } from './root.js';
import { address, here, trusts } from './secure.js';
import { listen } from './live.js';
import { showMenu } from './nav.js';
import { nextTheme } from './theme.js';
import { wordsOf } from './warnings.js';

const gap = 125; // ms from one picture to the next, at least: 8 a second
const sizes = [1280, 960, 640]; // pixels across, tried in turn where the way is slow
const slowAfter = 450; // ms a picture may take on average before the next size is tried
const tooSlow = 800;

const canvas = document.createElement('canvas');
let lens = null;
let photo = null; // a photograph that stands for the camera
let sending = false;
let take = false; // take over from another phone with the next picture
let size = 0;
let times = []; // ms that the last pictures took
let help = ''; // what would help the table to see

/** A word of this page by which the table tells phones apart. */
const name = sessionStorage.getItem('phone') ?? [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, '0')).join('');
sessionStorage.setItem('phone', name);

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

function show(state, why = '') {
  $('finder').dataset.state = state;
  $('state').dataset.state = state;
  setText($('state-text'), t(`camera.is.${state}`));
  setText($('state-why'), why);
  $('start').hidden = !here || !['tap', 'denied', 'missing', 'photo'].includes(state);
  $('use').hidden = state !== 'ready';
  $('take').hidden = state !== 'taken';
}

function draw(source, width, height, most) {
  const scale = Math.min(1, most / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d').drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg', 0.82); });
}

const grab = () => draw($('video'), $('video').videoWidth, $('video').videoHeight, sizes[size]);

/** pace goes to smaller pictures where they take long, and back when the way is free. */
function pace(ms) {
  times = [...times.slice(-9), ms];
  const mean = times.reduce((a, b) => a + b) / times.length;
  if (times.length < 10) return mean;
  if (mean > slowAfter && size < sizes.length - 1) {
    size += 1;
    times = [];
  } else if (mean < 100 && size > 0) {
    size -= 1;
    times = [];
  }
  return mean;
}

/** post sends one picture and says how it went. */
async function post(picture) {
  const began = performance.now();
  try {
    const answer = await send(`${root}/api/v1/phone/frame${take ? '?take=1' : ''}`, {
      headers: { 'Content-Type': 'image/jpeg', 'X-Phone': name }, body: picture, signal: AbortSignal.timeout?.(10_000),
    });
    take = false;
    const mean = pace(performance.now() - began);
    if (!answer.reading) show('ready');
    else if (photo) show('photo');
    else show(mean > tooSlow ? 'slow' : 'sending', help);
    return 0;
  } catch (problem) {
    times = [];
    if (problem.code === 'slow-down') return 1000;
    if (problem.code === 'offline' || problem.code === 'taken') {
      show(problem.code);
      return problem.code === 'taken' ? 2500 : 1000;
    }
    show('refused', told(problem));
    return 4000;
  }
}

/** run sends for as long as there is something to send. */
async function run() {
  if (sending) return;
  sending = true;
  while (photo || lens?.wanted) {
    const began = performance.now();
    let rest = 0;
    if (document.hidden || $('code').open) rest = 300;
    else if (photo) rest = Math.max(await post(photo), 500);
    else if (lens.seeing) rest = await post(await grab());
    else rest = 200;
    await pause(Math.max(rest, gap - (performance.now() - began), 10));
  }
  sending = false;
}

async function showLenses() {
  const all = await lens.list();
  const now = lens.chosen;
  $('lenses').replaceChildren(...(all.length < 2 ? [] : all.map((each, i) => h('button', {
    type: 'button', 'aria-pressed': String(each.id === now),
    onclick: () => {
      localStorage.setItem('lens', each.id);
      lens.open(each.id);
    },
  }, each.name || t('camera.lens', { n: i + 1 })))));
}

function onLens(word) {
  $('finder').classList.toggle('seeing', word === 'seeing');
  if (word === 'seeing') {
    photo = null;
    showLenses();
    run();
  } else show(word);
}

/** usePhoto takes one photograph for the camera, where no live picture is to be had. */
async function usePhoto(file) {
  if (!file) return;
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    photo = await draw(image, image.naturalWidth, image.naturalHeight, 1920);
    if (lens) {
      lens.wanted = false;
      lens.close();
    }
    show('photo');
    run();
  } catch {
    show('refused', t('camera.no-picture'));
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** showSeen draws what the table sees over what the phone sees. */
function showSeen(overlay, seen) {
  $('overlay').setAttribute('viewBox', `0 0 ${seen.width || 4} ${seen.height || 3}`);
  overlay.draw(seen);
  const [first] = seen.warnings;
  help = first ? wordsOf(first) : '';
}

/** useHere has the table look through this phone. */
async function useHere() {
  const json = (body) => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  try {
    const setup = await (await fetch(`${root}/api/v1/setup`)).json();
    await send(`${root}/api/v1/setup/camera`, json({ game: setup.now?.game, source: 'phone' }));
    await send(`${root}/api/v1/setup/done`, json({ use: true }));
  } catch (problem) {
    show('ready', told(problem));
  }
}

async function main() {
  await loadWords();
  showMenu();
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', nextTheme);
  $('start').addEventListener('click', () => lens.open());
  $('take').addEventListener('click', () => { take = true; });
  $('use').addEventListener('click', useHere);
  $('photo').addEventListener('change', (event) => usePhoto(event.target.files[0]));
  if (here) {
    const overlay = new Overlay($('overlay'));
    listen({
      match() {},
      seen: (seen) => showSeen(overlay, seen),
      camera: (status) => $('finder').classList.toggle('looked-at', status.phone === 'here'),
      link() {},
    });
    lens = new Lens($('video'), onLens);
    show('tap');
    const allowed = await navigator.permissions?.query({ name: 'camera' }).catch(() => null);
    if (allowed?.state === 'granted') lens.open();
    return;
  }
  // Over http no browser gives a camera: go to https where this phone trusts it.
  show('insecure');
  $('trust').hidden = false;
  if (location.protocol === 'http:' && await trusts()) location.replace(address('/camera'));
}

main();
