/**
 * Adds the limits that ssh2 lacks on one connection: it writes to the socket without backpressure, queues without limit during a key
 * exchange, and never starts a key exchange by itself.
 */

import type { Duplex } from 'node:stream';
import type { Protocol } from 'ssh2';
import type { Clock } from '../clock.ts';
import type { TunnelLimits } from '../limits.ts';

/** Replies that may wait for the end of a key exchange. */
const mostQueued = 10_000;

export interface GuardOptions {
  socket: Duplex;
  protocol: Protocol;
  clock: Clock;
  limits: TunnelLimits;
  /** Closes the connection. */
  fail(reason: Error): void;
  /** Undefined if the other side starts the key exchanges. */
  rekey?: (() => void) | undefined;
}

export class TransportGuard implements Disposable {
  readonly #options: GuardOptions;
  /** Streams that wait to write, first come, first served. */
  readonly #waiting = new Set<() => void>();
  /** Bytes since the last key exchange. */
  #sinceKeys = 0;
  #kexTimer: Disposable | undefined;
  #rekeyTimer: Disposable | undefined;
  #isCorked = false;
  lastSeen: number;
  /** Payload bytes of all streams. */
  bytesIn = 0;
  bytesOut = 0;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.lastSeen = options.clock.now();
    options.socket.on('data', this.#received);
    options.socket.on('drain', this.#proceed);
    this.#startRekeyTimer();
  }

  /** A key exchange has completed, the first or a later one. */
  exchanged(): void {
    this.#sinceKeys = 0;
    this.#kexTimer?.[Symbol.dispose]();
    this.#kexTimer = undefined;
    this.#startRekeyTimer();
    // ssh2 sends its own queue first.
    queueMicrotask(this.#proceed);
  }

  get canWrite(): boolean {
    const { socket, protocol, limits } = this.#options;
    return protocol._kexinit === undefined && socket.writableLength <= limits.unsent;
  }

  /** Calls back once, when it is the caller's turn to write. */
  wait(call: () => void): void {
    this.#waiting.add(call);
    this.#watchKex();
  }

  forget(call: () => void): void {
    this.#waiting.delete(call);
  }

  wrote(bytes: number): void {
    this.bytesOut += bytes;
    this.#count(bytes);
  }

  /** Writes of this turn are sent together: ssh2 would write each packet separately. */
  cork(): void {
    if (this.#isCorked) return;
    const { socket } = this.#options;
    this.#isCorked = true;
    socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      socket.uncork();
    });
  }

  [Symbol.dispose](): void {
    const { socket } = this.#options;
    socket.off('data', this.#received);
    socket.off('drain', this.#proceed);
    this.#kexTimer?.[Symbol.dispose]();
    this.#rekeyTimer?.[Symbol.dispose]();
    this.#waiting.clear();
  }

  readonly #received = (chunk: Buffer): void => {
    const { socket, protocol, limits, clock, fail } = this.#options;
    this.lastSeen = clock.now();
    // Streams stop long before: these are replies to a flood of requests.
    if (socket.writableLength > limits.unsentCut) fail(new Error('the other side does not read'));
    else if ((protocol._queue?.length ?? 0) > mostQueued) fail(new Error('too many requests during a key exchange'));
    else {
      this.#count(chunk.length);
      this.#watchKex();
    }
  };

  readonly #proceed = (): void => {
    for (const call of this.#waiting) {
      if (!this.canWrite) return;
      this.#waiting.delete(call);
      call();
    }
  };

  #count(bytes: number): void {
    this.#sinceKeys += bytes;
    if (this.#sinceKeys >= this.#options.limits.rekeyBytes) this.#rekey();
  }

  #rekey(): void {
    const { rekey, protocol } = this.#options;
    if (!rekey || protocol._kexinit !== undefined) return;
    this.#sinceKeys = 0;
    rekey();
    this.#watchKex();
  }

  #startRekeyTimer(): void {
    this.#rekeyTimer?.[Symbol.dispose]();
    if (!this.#options.rekey) return;
    this.#rekeyTimer = this.#options.clock.timer(this.#options.limits.rekeyTime, () => this.#rekey());
  }

  #watchKex(): void {
    const { protocol, clock, limits, fail } = this.#options;
    if (this.#kexTimer || protocol._kexinit === undefined) return;
    this.#kexTimer = clock.timer(limits.kexTime, () => fail(new Error('a key exchange took too long')));
  }
}
