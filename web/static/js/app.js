// The live page: keeps what the server tells and shows it.
import { $, h, s, setText } from './dom.js';
import { loadWords, otherLanguage, t } from './i18n.js';
import { Taps } from './taps.js';
import { listen, showPictures } from './live.js';
import { Overlay } from './board.js';
import { Frame } from './frame.js';
import { MoveList, dieOf, inWords, kind, place, ruling, seatedAt, sign } from './moves.js';
import { blind, told } from './refused.js';
import { below, pageName, root } from './root.js';
import { Scores } from './scores.js';
import { Finale, announcement, headline } from './finale.js';
import { chooseOne } from './chooser.js';
import { choose } from './correct.js';
import { can, instead } from './mend.js';
import { Table } from './table.js';
import { writeCell } from './pad.js';
import { whose } from './whose.js';
import { Hints } from './hints.js';
import { showJoining } from './join.js';
import { showMenu } from './nav.js';
import { answers, question } from './ask.js';
import { awaited } from './await.js';
import { token } from './players.js';
import { unpressed } from './press.js';
import { nextTheme } from './theme.js';
import { stayAwake } from './awake.js';
import { cardsShown, loadFaces } from './dice.js';
import { dress } from './overlay.js';
import { canSpeak, chime, speak, toggleVoice } from './voice.js';
import { wordsOf } from './warnings.js';

const view = { '/tv': 'tv', '/overlay': 'overlay' }[pageName] ?? 'table';
document.documentElement.dataset.view = view;
if (view === 'overlay') dress(location.search);

const now = { match: null, camera: { state: 'starting' }, link: 'connecting', seen: null };
let events = [];
let undone = new Set();
const kept = new Set(); // illegal acts that somebody here chose to keep
let totals = {}; // by seat, as they were told last
const taps = new Taps();
let moves, scores, overlay, frame, tabled, finale;

/** What a player may say in each game besides what a camera sees: a miss while there are flicks left; after the last one, that a die
 * landed on the bonus marker, while nobody knows in which hole that is; that the turn is over, once it may be; that one's own dice were
 * rolled again, where none may fit. */
const sayings = {
  'dice-flick': ({ flicks_must: must, flicks_may: may, markers }) => [may > 0 ? 'miss' : markers.some(({ marker }) => marker === 'bonus') ? null : 'bonus', must > 0 ? null : 'next'].filter(Boolean),
  'dice-box': ({ must, grid }) => (must === 'place' || !grid?.length ? [] : ['reroll']),
};
const words = ({ game, state }) => (state && sayings[game]?.(state)) || [];

const corrections = () => events.filter((e) => e.type === 'correct');

const hourglass = 'M7 3h10M7 21h10M8 3v3.5c0 2.5 4 3.5 4 5.5s-4 3-4 5.5V21M16 3v3.5c0 2.5-4 3.5-4 5.5s4 3 4 5.5V21';

/** showWaiting shows who told of an act that no picture has shown yet: an hourglass in the player's color. */
function showWaiting() {
  const list = (now.match.waiting ?? []).map(({ say: word, event }) => ({
    seat: now.match.players.indexOf(event?.player), label: t('waits', { act: event ? inWords(event) : t(`say.${word}`) }),
  }));
  const key = JSON.stringify(list);
  if ($('waits').dataset.key === key) return;
  $('waits').dataset.key = key;
  $('waits').replaceChildren(...list.map(({ seat, label }) => h('span', { class: seat < 0 ? 'wait' : `wait seat${seat % 5}`, role: 'img', 'aria-label': label, title: label },
    seat < 0 ? null : token(seat), s('svg', { viewBox: '0 0 24 24', class: 'glass', 'aria-hidden': 'true' }, s('path', { d: hourglass })))));
}

function onMatch(news) {
  const known = news.id === now.match?.id ? corrections().length : Infinity; // all is told again where what came later was judged anew
  if (news.reset) {
    wear();
    events = [];
    moves.clear();
  }
  events.push(...news.events);
  undone = new Set(news.undone);
  now.match = news;
  seatedAt(news.players, news.game);
  for (const event of news.events) moves.add(event, news.players.indexOf(event.player));
  moves.undo(undone);
  if (news.reset) fixes.clear();
  tell(news.reset ? corrections().slice(known) : news.events);
  totals = Object.fromEntries((news.sheets ?? []).map((sheet) => [sheet.player, sheet.total]));
  if (!news.reset) news.events.filter((e) => e.type === 'correct' && e.to).forEach(fix);
  setText($('game'), t(`game.${news.game}`));
  unpressed('scores', () => scores.show(news));
  unpressed('finale', () => finale.show(now.match));
  showVerdict();
  showActions();
  showState();
  showWaiting();
  showTable();
  taps.drawn(news);
}

/** wear draws all dice anew where those of this match look otherwise than the ones before. */
async function wear() {
  if (!(await loadFaces()) || !now.match) return;
  moves.clear();
  for (const event of events) moves.add(event, now.match.players.indexOf(event.player));
  moves.undo(undone);
  scores.show(now.match);
  finale.show(now.match);
  showVerdict();
  showTable();
  if (now.seen) showSeen(now.seen);
}

/** bare says whether no camera looks on, so that everything is tapped. */
const bare = () => now.camera.state === 'none';

function showTable() {
  if (!now.match) return;
  pointOut();
  tabled.show(now.match, bare(), last());
  hints?.show(now.match);
}

/** pointOut marks squares in the picture: dead ones, the best combination, and on demand what is legal and what a hint means. */
function pointOut() {
  const { dead = [], best, candidates = {} } = now.match.state ?? {};
  const squares = (names) => names.filter((name) => /^[a-e][1-5]$/.test(name)).map((name) => [Number(name[1]) - 1, name.charCodeAt(0) - 97]);
  const legal = hints?.on ? Object.entries(candidates).filter(([, fits]) => fits.length).map(([name, fits]) => [...squares([name])[0], fits.join(' ')]) : [];
  overlay?.point({ dead, best: best?.removed ?? [], legal, hint: squares(pointed) });
}

let hints = null;
let pointed = []; // squares, spots and Customers that a hint means

/** makeHints makes the list of what is worth a look, which two buttons open and close. */
function makeHints() {
  hints = new Hints($('hints'), {
    suggest: (ask) => tabled.suggest(ask),
    point(names, dice) {
      pointed = names;
      pointOut();
      tabled.point(names, dice, hints.on);
    },
  });
  for (const id of ['hint', 'show-me']) {
    $(id).addEventListener('click', () => {
      const on = hints.toggle();
      for (const each of ['hint', 'show-me']) $(each).setAttribute('aria-pressed', String(on));
    });
  }
}

/** tell says aloud what happened and what it made of the scores; after a correction only the correction. */
function tell(fresh) {
  const put = fresh.findLast((e) => e.type === 'correct');
  const news = put ? [put] : fresh;
  if (news.length) chime(news.at(-1).winners ? 'win' : kind(news.at(-1)));
  for (const event of news) {
    speak(event.type === 'end' && now.match.outcome ? announcement(now.match) : [event.type === 'doubt' && now.match.ask ? question(now.match) : inWords(event), event.legal === false ? t('sign.bad') : '', ruling(event), event === news.at(-1) ? gains(event) : ''].filter(Boolean).join('. '));
  }
}

/** refuse says why something tapped is not allowed. */
function refuse(reason) {
  chime('bad');
  speak(reason);
}

/** gains are the totals that became other ones, for the voice; what lies on secret cards is nobody's to say. */
function gains(event) {
  const { sheets, players, game } = now.match;
  return (sheets ?? []).filter((sheet) => totals[sheet.player] !== sheet.total && sheet.total !== event.score && (game !== 'dessert-dice' || sheet.lines?.length))
    .map((sheet) => t('voice.total', { player: players[sheet.player], total: sheet.total })).join(', ');
}

/** state is the key of what is always visible: how the table is. */
function state() {
  if (now.link !== 'online') return now.link;
  if (now.camera.trying) return 'camera.trying';
  if (now.camera.phone === 'away') return 'camera.phone';
  if (now.camera.state !== 'running' && !bare()) return `camera.${now.camera.state}`;
  return now.match?.phase ?? 'waiting';
}

function showState() {
  const key = state();
  const node = $('state');
  node.dataset.state = key.replace('.', '-');
  setText($('state-text'), (key === 'read' && awaited(now.match)) || t(`state.${key}`));
  const reason = key === 'camera.phone' ? '' : key.startsWith('camera.') ? blind(now.camera) : now.match?.trouble ? t('trouble.journal') : '';
  setText($('state-why'), reason);
}

const fixes = new Map(); // by square: what was read there, and what really lies there

/** fix has a die that was put right drawn right, for as long as it is read as it was. */
function fix(event) {
  const die = now.seen?.dice.find((d) => d.row === event.to[0] && d.col === event.to[1]);
  if (die) fixes.set(String(event.to), { was: `${die.color} ${die.face}`, color: event.color, face: event.face });
  if (now.seen) overlay?.draw(fixed(now.seen));
}

function fixed(seen) {
  const dice = seen.dice.map((die) => {
    const known = fixes.get(String([die.row, die.col]));
    if (!known || known.was !== `${die.color} ${die.face}`) return die;
    return known.color ? { ...die, color: known.color, face: known.face, sure: true, confidence: 1 } : null;
  }).filter(Boolean);
  return { ...seen, dice };
}

/** last is the newest event in force that is an act, or null. */
const last = () => events.findLast((e) => !undone.has(e.seq) && !['doubt', 'start', 'note', 'undo', 'redo'].includes(e.type)) ?? null;

const showVerdict = () => unpressed('verdict', drawVerdict);

function drawVerdict() {
  const { match } = now;
  const card = $('verdict');
  const act = last();
  const asking = Boolean(match.ask);
  const what = asking ? 'ask' : act ? kind(act) : 'plain';
  card.dataset.kind = what;
  $('verdict-sign').replaceChildren(sign(what));
  setText($('verdict-word'), act || asking ? t(`sign.${what}`) : '');
  setText($('verdict-text'), asking ? question(match) : match.outcome ? headline(match) : act ? inWords(act) : t(bare() ? 'verdict.none.bare' : 'verdict.none'));
  setText($('verdict-why'), !asking && act && ruling(act) ? ruling(act) : !asking && view === 'table' && fresh() ? t('first.ask') : '');
  $('verdict-picture').replaceChildren(...(asking || !act ? [] : [dieOf(act), place(act)].filter(Boolean)));
  $('verdict-choices').replaceChildren(...choices(asking ? match : null, act));
  overlay?.highlight(!asking && act?.move?.to ? { to: act.move.to, from: act.move.from, legal: act.legal } : null);
}

/** fresh says whether nobody has acted yet, so that it can still be said who starts. */
const fresh = () => now.match.players.length > 1 && !events.some((e) => e.player && !undone.has(e.seq) && ['move', 'flick', 'miss', 'score', 'pass'].includes(e.type));

/** choices are the buttons of a question or of an illegal act. */
function choices(match, act) {
  if (view !== 'table') return [];
  const button = (text, body) => h('button', { type: 'button', onclick: () => say('declare', body) }, text);
  if (match?.choices?.length) return answers(match, answer);
  if (match) return [button(t('do.go-on'), { say: 'answer', ask: match.ask, choice: 'go on' })];
  if (now.match.outcome) {
    return [h('button', { type: 'button', id: 'unfold-end', onclick: () => finale.fold(now.match) }, t('finale.again')),
      now.match.outcome.cards?.length ? null : button(t('do.rematch'), { say: 'rematch' })].filter(Boolean);
  }
  if (fresh()) return now.match.players.map((player, seat) => h('button', { type: 'button', class: 'starter', 'aria-pressed': String(seat === 0), onclick: () => say('declare', { say: 'first', player }) }, token(seat), h('span', { dir: 'auto' }, player)));
  if (act?.legal !== false || kept.has(act.seq)) return [];
  const keep = async () => {
    if (!(await say('declare', { say: 'keep' }))) return;
    kept.add(act.seq);
    showVerdict();
  };
  return [h('button', { type: 'button', onclick: keep }, t('do.keep'))];
}

/** answer gives an answer to the question; one that was not offered is asked for first. */
async function answer(said) {
  const other = said.choice === 'something else' ? await whose(now.match, question(now.match)) : {};
  if (other) await say('declare', { ...said, ...other });
}

function showActions() {
  const says = (bare() || now.match.outcome ? [] : words(now.match)).map((word) => h('button', { type: 'button', 'data-say': word, onclick: () => say('declare', { say: word }) }, t(`say.${word}`)));
  $('hint').hidden = bare() || now.match.to_move < 0 || Boolean(now.match.outcome);
  if (says.length !== $('says').childElementCount || says.some((b, i) => b.dataset.say !== $('says').children[i].dataset.say)) $('says').replaceChildren(...says);
  for (const what of steps) $(what).setAttribute('aria-disabled', String(!now.match[`can_${what}`]));
  if (view === 'table') $('end-game').hidden = Boolean(now.match.outcome) || !last();
}

/** What can be stepped back and forth. A button that can do nothing stays in its place, and keeps the keyboard's focus. */
const steps = ['undo', 'redo'];

let noticeTimer = 0;

/** notice tells something for a few seconds. */
function notice(text) {
  clearTimeout(noticeTimer);
  $('notice').hidden = false;
  setText($('notice'), text);
  noticeTimer = setTimeout(() => {
    $('notice').hidden = true;
    setText($('notice'), '');
  }, 6000);
}

/** meant makes the question whether something tapped now will mean the same on a table that has changed: a step can be taken, a saying is
 * still offered, or question and verdict are those that it was said to. A correction names what it is about, and the end was asked for. */
function meant(act, { say: what, seq } = {}) {
  const ask = now.match?.ask, about = last()?.seq;
  return () => {
    if (steps.includes(act)) return now.match[`can_${act}`] && !undone.has(seq);
    if (act !== 'declare' || what === 'end') return !undone.has(seq);
    return words(now.match).includes(what) || (now.match.ask === ask && last()?.seq === about);
  };
}

async function say(act, body) {
  try {
    return await taps.tell(act, body, meant(act, body));
  } catch (problem) {
    notice(told(problem));
    return false;
  }
}

/** endGame stops before the rules end the game, once that was asked. */
async function endGame() {
  if (await chooseOne(t('finale.end'), [[{ label: t('finale.end.yes'), value: true }]], t('finale.end.ask'))) say('declare', { say: 'end' });
}

async function correct(spot) {
  const answer = await choose(now.match ?? { game: 'any' }, spot);
  if (!answer) return;
  const at = spot.row === null ? {} : { square: [spot.row, spot.col] };
  if (await say('correct', { ...at, ...answer })) notice(t('correct.done'));
}

/** mends says whether an earlier act can be put right by tapping it. */
const mends = (event) => view === 'table' && event.type !== 'start' && can(event);

/** mend puts an earlier act right: it was another one, it never happened, or all from it on is undone. */
async function mend(event) {
  if (undone.has(event.seq)) return;
  const { match } = now;
  if (event.type === 'score') {
    writeCell(tabled, match.players.indexOf(event.player), event.round, event.score);
    return;
  }
  const answer = await instead(event, match, inWords(event));
  if (!answer || answer.move === event.acts[0]) return;
  if (answer.back) {
    say('undo', { seq: event.seq });
    return;
  }
  const body = { seq: event.seq, move: answer.move };
  try {
    if (!(await taps.tell('correct', body, meant('correct', body)))) return;
  } catch (problem) {
    if (problem.code !== 'refused' || !(await chooseOne(t('mend.loose'), [[{ label: t('mend.loose.yes'), value: true }]], told(problem)))) return;
    if (!(await say('correct', { ...body, keep: true }))) return;
  }
  notice(t('correct.done'));
}

let called = false; // a referee, from this page

/** callReferee asks for a referee of the hall, or says that none is needed any more. */
async function callReferee() {
  if (!(await say('help', { wanted: !called }))) return;
  called = !called;
  notice(t(called ? 'hall.called' : 'hall.uncalled'));
}

function showSeen(seen) {
  frame?.show(seen);
  overlay?.draw(fixed(seen));
  const moved = (w) => w.code === 'moved'; // it is said with what to do about it
  $('moved').hidden = !seen.warnings.some(moved);
  setText($('warnings'), seen.warnings.filter((w) => !moved(w)).map(wordsOf).join(' '));
}

async function main() {
  if (document.documentElement.dataset.fresh && !sessionStorage.getItem('wizard')) {
    location.replace(below('/setup')); // nothing has been set up yet
    return;
  }
  await loadWords();
  const end = view === 'table' ? [h('button', { type: 'button', id: 'end-game', hidden: true, onclick: endGame }, s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: 'M6 21V4h12l-2.5 4.5L18 13H6' })), t('finale.end'))] : [];
  if (root && view === 'table') end.push(h('button', { type: 'button', id: 'call', onclick: callReferee }, s('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: 'M12 4a5 5 0 0 1 5 5c0 5 2 6 2 6H5s2-1 2-6a5 5 0 0 1 5-5zM10 18.5a2 2 0 0 0 4 0' })), t('hall.call')));
  showMenu(...end);
  moves = new MoveList($('moves'), mends, mend);
  tabled = new Table({ able: view === 'table', taps, notice, tell: refuse, next: (score) => say('declare', { say: 'next', score }) });
  finale = new Finale({ able: view === 'table', say, act: (move) => tabled.act(move), held: () => now.camera.state === 'running' && cardsShown(), onFold() {
    finale.show(now.match);
    showVerdict();
  } });
  scores = new Scores($('scores'), $('extra'), view === 'table' ? (...cell) => writeCell(tabled, ...cell) : null);
  if (view !== 'overlay') {
    overlay = new Overlay($('overlay'), view === 'table' ? correct : null);
    frame = new Frame($('stage'), $('live'), $('overlay'));
    $('whole').addEventListener('click', () => $('whole').setAttribute('aria-pressed', String(frame.toggle())));
    showPictures($('live'), () => { $('stage').classList.add('seen'); });
  }
  if (view === 'table') makeHints();
  for (const what of steps) $(what).addEventListener('click', () => { if ($(what).ariaDisabled !== 'true') say(what); });
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', () => notice(t(`theme.${nextTheme()}`)));
  $('voice').hidden = !canSpeak;
  $('voice').addEventListener('click', () => {
    const on = toggleVoice();
    $('voice').setAttribute('aria-pressed', String(on));
    const text = t(on ? 'voice.on' : 'voice.off');
    notice(text);
    speak(text);
  });
  showState();
  stayAwake();
  showJoining(view);
  listen({
    match: onMatch,
    seen(seen) {
      now.seen = seen;
      showSeen(seen);
    },
    camera(status) {
      now.camera = status;
      document.documentElement.dataset.camera = bare() ? 'none' : 'live';
      if (bare()) $('table-head').prepend($('state'));
      else $('stage').append($('state'));
      showState();
      if (now.match) {
        showVerdict();
        showActions();
        showTable();
      }
    },
    link(up) {
      now.link = up ? 'online' : 'offline';
      document.documentElement.classList.toggle('offline', !up);
      showState();
    },
  });
}

main();
