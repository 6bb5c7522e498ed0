/** How long the event loop of this process was held by work, apart from the time in which others had the CPU (LIMIT-3). */

/** In milliseconds. */
const every = 5;
/** What is worth a line in a report. */
const noticed = 25;

export interface Stall {
  /** Milliseconds since 1970, at its end. */
  at: number;
  held: number;
}

/** CPU time of this thread so far, in milliseconds: on a busy machine much more may pass between two looks. */
const worked = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
};

export class HeldLoop {
  #longest = 0;
  #stalls: Stall[] = [];

  constructor() {
    let before = worked();
    const look = (): void => {
      const now = worked();
      this.#see(now - before);
      before = now;
    };
    setInterval(look, every).unref();
  }

  /** Since the last time that it was asked. */
  take(): { longest: number; stalls: Stall[] } {
    const taken = { longest: this.#longest, stalls: this.#stalls };
    [this.#longest, this.#stalls] = [0, []];
    return taken;
  }

  #see(held: number): void {
    this.#longest = Math.max(this.#longest, held);
    if (held > noticed) this.#stalls.push({ at: Date.now(), held });
  }
}
