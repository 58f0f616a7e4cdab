// The page on which any photograph can be dropped to see how it is read.
import { $, h, setText } from './dom.js';
import { loadWords, otherLanguage, percent, t } from './i18n.js';
import { send } from './api.js';
import { Overlay } from './board.js';
import { dieName, drawDie, squareName } from './dice.js';
import { showMenu } from './nav.js';
import { told } from './refused.js';
import { root } from './root.js';
import { nextTheme } from './theme.js';
import { wordsOf } from './warnings.js';

const games = ['any', 'dessert-dice', 'dice-box', 'fromage-a-trois', 'dicecreams', 'dice-flick'];
let overlay;
let current = null; // the file that is shown, to be read again as another game
let turn = 0; // of the readings: a late answer to an older one is dropped

function problem(text) {
  $('problem').hidden = !text;
  setText($('problem'), text ? `${t('drop.error')}: ${text}` : '');
}

function show(seen) {
  $('overlay').setAttribute('viewBox', `0 0 ${seen.width} ${seen.height}`);
  overlay.draw(seen);
  const doubtful = seen.dice.filter((die) => !die.sure).length;
  const parts = [seen.dice.length ? t('drop.dice', { n: seen.dice.length }) : t('drop.none')];
  if (doubtful) parts.push(t('drop.doubtful', { n: doubtful }));
  if (seen.board) parts.push(t(seen.board.found ? 'drop.board' : 'drop.no-board'));
  parts.push(t('drop.time', { ms: Math.round(seen.ms.decode + seen.ms.read) }));
  setText($('summary'), parts.join(' · '));
  const rows = [...seen.dice].sort((a, b) => a.confidence - b.confidence);
  $('rows').replaceChildren(...rows.map((die) => h('tr', { class: die.sure ? null : 'doubtful' },
    h('td', {}, h('span', {}, drawDie(die.color, die.face), dieName(die.color, die.face))),
    h('td', {}, die.row === null ? '–' : squareName(die.row, die.col)),
    h('td', {}, h('meter', { min: 0, max: 1, value: die.confidence, 'aria-hidden': 'true' }), ` ${percent(die.confidence)}${die.sure ? '' : ' ?'}`))));
  $('dice').hidden = rows.length === 0;
  const help = seen.dice.length || seen.warnings.length ? seen.warnings : [{ code: 'no-dice' }]; // whoever shows a picture wants dice read
  $('help').replaceChildren(...help.map((w) => h('li', {}, wordsOf(w))));
}

/** showPicture shows a picture, and says whether this browser can: few know HEIC. */
async function showPicture(blob) {
  const image = $('picture');
  const old = image.src;
  image.src = URL.createObjectURL(blob);
  if (old) URL.revokeObjectURL(old);
  const canShow = await image.decode().then(() => true, () => false);
  image.hidden = !canShow;
  return canShow;
}

async function read(file) {
  const mine = ++turn;
  current = file;
  problem('');
  overlay.draw({ width: 4, height: 3, board: null, dice: [] });
  $('help').replaceChildren();
  $('rows').replaceChildren();
  $('dice').hidden = true;
  $('answer').hidden = false;
  $('answer').classList.add('busy');
  setText($('summary'), t('drop.reading'));
  const canShow = await showPicture(file);
  if (mine !== turn) return;
  try {
    const seen = await send(`${root}/api/v1/read?game=${$('game').value}${canShow ? '' : '&show=1'}`, { headers: { 'Content-Type': file.type || 'application/octet-stream' }, body: file });
    if (mine !== turn) return;
    if (seen.picture) await showPicture(new Blob([Uint8Array.from(atob(seen.picture), (c) => c.charCodeAt(0))], { type: 'image/jpeg' }));
    show(seen);
  } catch (refused) {
    if (mine !== turn) return;
    problem(told(refused));
    $('answer').hidden = true;
  } finally {
    if (mine === turn) $('answer').classList.remove('busy');
  }
}

async function main() {
  await loadWords();
  showMenu();
  overlay = new Overlay($('overlay'));
  $('game').replaceChildren(...games.map((game) => h('option', { value: game }, t(`game.${game}`))));
  $('language').addEventListener('click', otherLanguage);
  $('theme').addEventListener('click', nextTheme);
  $('file').addEventListener('change', (event) => {
    if (event.target.files[0]) read(event.target.files[0]);
    event.target.value = '';
  });
  $('game').addEventListener('change', () => { if (current) read(current); });
  // The whole page is a target: nobody aims.
  const over = (on) => (event) => {
    event.preventDefault();
    $('zone').classList.toggle('over', on);
  };
  addEventListener('dragover', over(true));
  addEventListener('dragleave', over(false));
  addEventListener('drop', (event) => {
    over(false)(event);
    if (event.dataTransfer.files[0]) read(event.dataTransfer.files[0]);
  });
  addEventListener('paste', (event) => { if (event.clipboardData.files[0]) read(event.clipboardData.files[0]); });
}

main();
