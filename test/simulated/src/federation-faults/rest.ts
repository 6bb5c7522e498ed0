/** Waits until everything is at rest: counted in rounds of the event loop, so that a busy machine is given longer. */

import { setTimeout as delay } from 'node:timers/promises';
import { difference, isSame, type State, stateOf } from './state.ts';
import { places, type World } from './world.ts';

const roundMillis = 20;
/** Without a write. */
const quietRounds = 25;
/** What has failed is tried again within, in a hurry. */
const retryRounds = 40;
const mostRounds = 1_500;

export const pause = async (): Promise<void> => {
  for (let round = 0; round < quietRounds; round++) await delay(roundMillis);
};

export class Rest {
  readonly #world: World;
  /** Called in each round: other clocks go on. */
  readonly #tick: () => Promise<void>;
  /** Rounds to wait, as something has failed. */
  #failed = 0;
  #lastFailure = '';

  constructor(world: World, tick = async (): Promise<void> => {}) {
    this.#world = world;
    this.#tick = tick;
  }

  /** What a process reports. */
  warned(fields: { err?: unknown }, text: string): void {
    // One that stays, as no policy allows to take it over.
    if (/already exists in the cluster/.test(String(fields.err))) return;
    this.#failed = retryRounds;
    this.#lastFailure = String(fields.err ?? text);
  }

  /** Nobody has asked for a write for a while, and nothing that has failed waits for another attempt. */
  async quiet(): Promise<void> {
    let [seen, rounds] = [-1, 0];
    for (let round = 0; rounds < quietRounds || this.#failed > 0; round++) {
      if (round === mostRounds) throw new Error(`it does not come to rest: ${this.#lastFailure}`);
      const now = places(this.#world).reduce((sum, [, { writes }]) => sum + writes.length, 0);
      rounds = now === seen ? rounds + 1 : 0;
      seen = now;
      this.#failed--;
      await this.#round();
    }
  }

  /** Until everything is as expected. */
  async until(expected: State, step: string): Promise<void> {
    let version = -1;
    for (let round = 0; ; round++) {
      const now = places(this.#world).reduce((sum, [, { objects }]) => sum + objects.version, 0);
      if (now !== version && isSame(stateOf(this.#world), expected)) {
        // It may change again.
        await this.#round();
        await this.#round();
        if (isSame(stateOf(this.#world), expected)) return;
      }
      version = now;
      if (round === mostRounds) {
        throw new Error(`after "${step}": ${difference(expected, stateOf(this.#world))}\n${this.#lastFailure}`);
      }
      await this.#round();
    }
  }

  async #round(): Promise<void> {
    await this.#tick();
    await delay(roundMillis);
  }
}
