// What is tapped is told one after the other. A tap that begins before what came of the one before it is drawn was made on a table that
// has passed: it waits, and counts if it still means the same then. Else it is dropped without a word, and what is drawn says why.
import { declare } from './api.js';

const patience = 3000; // ms to wait for the news of what was told, which may be lost with the line

export class Taps {
  constructor() {
    Object.assign(this, { match: null, last: Promise.resolve(), underway: new Set(), waiting: [] });
  }

  /** drawn takes note of how the match is drawn now. */
  drawn(match) {
    this.match = match;
    const due = ({ id, seq }) => id !== match.id || seq <= match.seq;
    for (const { go } of this.waiting.filter(due)) go();
    this.waiting = this.waiting.filter((one) => !due(one));
  }

  /** tell tells the server something, once all that was told before is drawn; false: it was dropped. still() says whether it means the
   * same on a table that has changed since. What is said again, by a finger that taps twice, counts for nothing until what came of it is
   * drawn; a step back or forth counts each time. */
  async tell(act, body, still) {
    const { id, seq } = this.match ?? {}, words = JSON.stringify([act, body]);
    if (act === 'declare' && this.underway.has(words)) return false;
    this.underway.add(words);
    const before = this.last;
    let done;
    this.last = new Promise((resolve) => { done = resolve; }).then(() => this.underway.delete(words));
    await before;
    const passed = async () => (this.match?.id !== id || this.match?.seq !== seq) && !(this.match?.id === id && await still());
    try {
      if (await passed()) {
        done();
        return false;
      }
      const answer = await declare(act, body);
      this.until(id, answer.seq).then(done);
      return true;
    } catch (problem) {
      done();
      if (await passed()) return false; // somebody else was quicker
      throw problem;
    }
  }

  /** until waits for the news of what was told to be drawn. */
  until(id, seq) {
    return new Promise((go) => {
      this.waiting.push({ id, seq, go });
      setTimeout(go, patience);
      if (this.match) this.drawn(this.match);
    });
  }
}
