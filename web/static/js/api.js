// Talking to the server. Changes from other machines need the table's code.
import { $ } from './dom.js';
import { t } from './i18n.js';
import { keepCode, knownCode, root } from './root.js';

// A code in the address (#code=…, from a QR code) is kept for this browser and
// taken out of the address.
const given = new URLSearchParams(location.hash.slice(1)).get('code');
if (given) {
  keepCode(given);
  history.replaceState(null, '', location.pathname + location.search);
}

// Whoever has the code has a place kept, however many look on: the server is told at once.
const mine = knownCode();
if (mine) fetch(`${root}/api/v1/healthz`, { headers: { 'X-Table-Code': mine } }).catch(() => {});

/** Refused is an answer of the server that is an error, in words. */
export class Refused extends Error {
  constructor(code, message, body = {}) {
    super(message);
    this.code = code;
    this.body = body;
  }
}

async function once(path, options) {
  const headers = { ...options.headers };
  const code = knownCode();
  if (code) headers['X-Table-Code'] = code;
  let answer;
  try {
    answer = await fetch(path, { ...options, headers });
  } catch {
    throw new Refused('offline', t('error.offline'));
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(body.code ?? 'http', body.error ?? `HTTP ${answer.status}`, body);
  return body;
}

/** ask shows the dialog for the table's code; false if it was closed. */
function askForCode() {
  const dialog = $('code');
  if (!dialog) return Promise.resolve(false);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      const entered = $('code-input').value.trim();
      if (dialog.returnValue === 'ok' && entered) keepCode(entered);
      resolve(dialog.returnValue === 'ok' && entered !== '');
    }, { once: true });
    dialog.returnValue = '';
    dialog.showModal();
  });
}

/** send posts something; where the table's code is needed it is asked for, once. */
export async function send(path, options) {
  const all = { method: 'POST', ...options };
  try {
    return await once(path, all);
  } catch (problem) {
    if (problem.code !== 'code' || !(await askForCode())) throw problem;
    return once(path, all);
  }
}

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const newKey = () => [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, '0')).join('');

// In a hall another server takes over within seconds, so what got no answer is sent again. It has a key: it counts once.
const waits = root ? [500, 1000, 2000, 3000] : [];
const unanswered = ['offline', 'http', 'not-now'];

/** declare tells the match what a player says; where: the table's address, if it is another one than this page's. */
export async function declare(act, body = {}, where = root) {
  const options = { headers: { 'Content-Type': 'application/json', 'Idempotency-Key': newKey() }, body: JSON.stringify(body) };
  for (const wait of waits) {
    try {
      return await send(`${where}/api/v1/${act}`, options);
    } catch (problem) {
      if (!unanswered.includes(problem.code)) throw problem;
      await pause(wait);
    }
  }
  return send(`${where}/api/v1/${act}`, options);
}
