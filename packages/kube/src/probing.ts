/** Detects that the other side of a connection is gone while nothing is read from it: only a write reveals that. */

/** In milliseconds. */
const interval = 10_000;

export class Probing {
  readonly #probe: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(probe: () => void) {
    this.#probe = probe;
  }

  start(): void {
    this.#timer ??= setInterval(this.#probe, interval).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
