// SPDX-License-Identifier: Apache-2.0
// Repeats a task while the page is visible.

const LONGEST = 60_000;

/** Runs a task again and again: not while the page is hidden, and more rarely after failures. */
export class Poll {
  #task;
  #interval;
  #wait;
  #timer = null;
  #running = false;
  #again = false;
  #active = false;

  /** The task returns a promise; `failed` gets its failure and the seconds to the next try. */
  constructor(task, interval, failed) {
    this.#task = task;
    this.#interval = interval;
    this.#wait = interval;
    this.failed = failed;
    document.addEventListener('visibilitychange', () => this.now());
  }

  start() {
    this.#active = true;
    this.now();
  }

  stop() {
    this.#active = false;
    clearTimeout(this.#timer);
  }

  /** Runs the task at once; if it runs, then after its end. */
  async now() {
    clearTimeout(this.#timer);
    if (!this.#active || document.visibilityState === 'hidden') {
      return;
    }
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    this.#again = false;
    try {
      await this.#task();
      this.#wait = this.#interval;
    } catch (e) {
      this.#wait = Math.min(LONGEST, this.#wait * 2);
      this.failed(e, Math.round(this.#wait / 1000));
    } finally {
      this.#running = false;
    }
    if (this.#active) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.now(), this.#again ? 0 : this.#wait);
    }
  }
}
