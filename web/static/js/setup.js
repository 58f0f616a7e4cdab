// The wizard: game, camera, check, players. Every step has a default, so that the
// button to go on always works.
import { $, h, s, setText } from './dom.js';
import { loadWords, otherLanguage, t } from './i18n.js';
import { Refused, send } from './api.js';
import { told } from './refused.js';
import { arrives, below, knownCode, root } from './root.js';
import { nextTheme } from './theme.js';
import { showMenu } from './nav.js';
import { token } from './players.js';
import { drawDie } from './dice.js';
import { GameStep } from './setup-game.js';
import { CameraStep, kindOf } from './setup-camera.js';
import { CheckStep } from './setup-check.js';
import { PlayersStep } from './setup-players.js';

const names = ['game', 'camera', 'check', 'players'];

/** What is being set up. */
const plan = { game: '', source: '', players: [], options: {}, owners: null, picture: null, corners: null, zones: null, markers: null, dice: '' };
let sets = null; // of dice that their owner has shown; null: none are kept
let offer = null; // what the server says is possible
let at = -1; // the step that is shown
let mending = false; // the game goes on, only the camera is looked after
let left = false;
let warned = ''; // what going on with was told, so that the next tap goes on
const steps = {};

const json = (body) => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** The game that is planned, as the server offers it. */
const chosen = () => offer.games.find((game) => game.name === plan.game);

/** sight is the part of the plan that the eye needs. */
function sight() {
  const gridded = chosen().layout !== 'loose';
  return {
    source: plan.source,
    ...(plan.corners && gridded ? { corners: plan.corners, picture: plan.picture } : {}),
    ...(plan.zones && !gridded && plan.source !== 'none' ? { zones: plan.zones } : {}),
    ...(plan.dice && plan.source !== 'none' ? { dice: plan.dice } : {}),
    ...(plan.markers && chosen().layout === 'arena' ? { markers: plan.markers } : {}),
  };
}

/** tell shows what the server refuses, in words; it returns false then. */
async function tell(path, body) {
  $('problem').hidden = true;
  document.body.classList.add('busy');
  try {
    offer = await send(`${root}/api/v1/${path}`, json(body));
    return true;
  } catch (problem) {
    complain(problem);
    return false;
  } finally {
    document.body.classList.remove('busy');
  }
}

/** complain says what is wrong, at the field that is to be put right if the step has one. */
function complain(problem) {
  if (steps[names[at]]?.complain?.(problem)) return;
  remark(told(problem));
}

/** remark says something beside the button that goes on. */
function remark(text) {
  setText($('problem'), text);
  $('problem').hidden = text === '';
}

/** tryCamera has the eye look as planned. */
const tryCamera = () => tell('setup/camera', { game: plan.game, ...sight() });

/** look notes a camera, has the eye look through it, and goes to the check. */
async function look(source) {
  if (document.body.classList.contains('busy')) return; // it is being looked through another one
  const before = { ...plan };
  const same = source === plan.source;
  if (plan.source === 'demo' && !same) plan.players = []; // they are those of the recording
  Object.assign(plan, { source }, same ? {} : { corners: null, zones: null, markers: null });
  steps.camera.show();
  if (source === 'none') {
    go(names.indexOf('players'));
    return;
  }
  if (await tryCamera()) {
    go(names.indexOf('check'));
    return;
  }
  Object.assign(plan, before); // what was refused is not what "next" would take
  steps.camera.mark();
}

/** pick notes a game. */
function pick(game) {
  if (game !== plan.game) Object.assign(plan, { game, corners: null, zones: null, markers: null, owners: null, options: {}, dice: '' });
  go(1);
}

/** renew asks again what is possible: a camera may have been plugged in. */
async function renew() {
  const answer = await fetch(`${root}/api/v1/setup`).catch(() => null);
  if (answer?.ok) offer = { ...await answer.json(), trying: offer.trying };
}

/** finish begins the match, or lets the one in force go on. */
async function finish() {
  if (document.body.classList.contains('busy')) return; // a second tap begins no second match
  const done = mending ? await tell('setup/done', { use: ['device', 'url', 'phone'].includes(kindOf(offer.now.source)) })
    : await tell('setup', { game: plan.game, players: plan.players, options: plan.options, ...(plan.owners ? { owners: plan.owners } : {}), ...sight() });
  if (!done) return;
  left = true;
  location.assign(below('/'));
}

/** show shows the step that is being done. */
function show() {
  const name = names[at];
  names.forEach((each) => { $(`step-${each}`).hidden = each !== name; });
  setText($('title'), t(`setup.${name}`));
  const icons = { game: drawDie('red', 5), camera: icon('M3 8.5h4L9 5h6l2 3.5h4V19H3zM12 10a3.6 3.6 0 1 0 .01 0'), check: icon('M4 12.5 9.5 18 20 6.5'), players: token(1) };
  $('steps').replaceChildren(...(mending ? [] : names).map((each, i) => h('li', {}, h('button', {
    type: 'button', disabled: i > at, 'aria-current': i === at ? 'step' : null, onclick: () => go(i),
  }, icons[each], h('span', {}, t(`setup.${each}`))))));
  $('steps').hidden = mending;
  $('back').hidden = at === 0 && !mending;
  const last = mending || name === 'players';
  const onward = t(mending ? 'setup.go-on' : last ? 'setup.start' : 'setup.next');
  setText($('next-text'), onward);
  $('next').setAttribute('aria-label', onward);
  $('next').classList.toggle('last', last);
  steps[name].show();
}

const icon = (d) => s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d }));

/** go shows another step. */
function go(i) {
  $('problem').hidden = true;
  warned = '';
  if (names[at]) steps[names[at]].leave?.();
  at = i;
  show();
  scrollTo(0, 0);
  $('wizard').focus({ preventScroll: true });
}

function next() {
  const name = names[at];
  if (name === 'check') checked();
  else if (name === 'players') finish();
  else if (name === 'game') pick(plan.game);
  else {
    const source = steps.camera.chosen();
    if (source !== null) look(source);
  }
}

/** checked goes on from the check once the camera has answered. Where it does not, or the table is not
 * found, that is told, and the next tap goes on with it. */
async function checked() {
  if (document.body.classList.contains('busy')) return;
  document.body.classList.add('busy');
  const worry = await steps.check.worry();
  document.body.classList.remove('busy');
  if (names[at] !== 'check') return; // somebody went back meanwhile
  if (worry && worry !== warned) {
    warned = worry;
    remark(t(`setup.${worry}`));
  } else if (mending) finish();
  else go(at + 1);
}

function back() {
  if (mending) {
    leave();
    location.assign(below('/'));
    return;
  }
  go(names[at] === 'players' && plan.source === 'none' ? 1 : at - 1);
}

/** leave lets the camera be as it was, if something else is being tried. */
function leave() {
  if (left || !offer?.trying) return;
  left = true;
  const code = knownCode();
  fetch(`${root}/api/v1/setup/done`, { method: 'POST', keepalive: true, ...json({ use: false }), headers: { 'Content-Type': 'application/json', ...(code ? { 'X-Table-Code': code } : {}) } }).catch(() => {});
}

/** begin takes what is in force as the plan. */
function begin() {
  const { now } = offer;
  Object.assign(plan, { game: now.game, players: now.source === 'demo' ? [] : [...now.players], options: { ...now.options }, owners: now.owners ?? null, dice: now.dice ?? '' });
  mending = location.hash === '#check' && !offer.fresh && now.source !== 'none';
  if (mending) Object.assign(plan, { picture: now.picture ?? null, corners: now.corners ?? null, zones: now.zones ?? null, markers: now.markers ?? null });
}

/** showDice leaves for the page on which dice are shown. What is planned is kept, and so is the camera. */
function showDice() {
  left = true;
  sessionStorage.setItem('plan', JSON.stringify(plan));
  location.assign(below(`/dice?game=${plan.game}`));
}

/** shownDice goes on with dice that were just shown: true with what was planned before that; null: there are none. */
function shownDice() {
  const asked = new URLSearchParams(location.search);
  if (!asked.get('dice')) return null;
  const before = JSON.parse(sessionStorage.getItem('plan') ?? 'null');
  sessionStorage.removeItem('plan');
  const game = offer.games.find(({ name }) => name === asked.get('game'))?.name ?? plan.game;
  const same = before?.game === game;
  if (same) Object.assign(plan, before);
  else if (game !== plan.game) Object.assign(plan, { game, owners: null, options: {} });
  plan.dice = asked.get('dice');
  return same;
}

async function main() {
  sessionStorage.setItem('wizard', 'seen');
  await loadWords();
  showMenu();
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', nextTheme);
  $('next').addEventListener('click', next);
  $('back').addEventListener('click', back);
  addEventListener('pagehide', leave);
  const answer = await arrives(`${root}/api/v1/setup`, () => complain(new Refused('offline', t('error.offline'))));
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    complain(new Refused(body.code, body.error, body));
    return;
  }
  remark('');
  offer = body;
  begin();
  sets = await fetch(`${root}/api/v1/dice`).then(async (answer) => (answer.ok ? (await answer.json()).sets : null), () => null);
  const planned = shownDice();
  const wizard = { plan, sets: () => sets, showDice, look, pick, tryCamera, chosen, complain, remark, renew, elsewhere: () => go(names.indexOf('camera')), offer: () => offer };
  Object.assign(steps, { game: new GameStep(wizard), camera: new CameraStep(wizard), check: new CheckStep(wizard), players: new PlayersStep(wizard) });
  if (mending && await tryCamera()) go(names.indexOf('check'));
  else {
    mending = false;
    go(planned && await tryCamera() ? names.indexOf('players') : planned === null ? 0 : names.indexOf('camera'));
  }
}

main();
