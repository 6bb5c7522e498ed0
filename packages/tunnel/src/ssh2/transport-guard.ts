/**
 * What ssh2 leaves to others on one connection: it writes to the socket without waiting for it, queues without end during a key
 * exchange, and never asks for new keys by itself.
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
  /** Undefined: new keys are the other side's business. */
  rekey?: (() => void) | undefined;
}

export class TransportGuard implements Disposable {
  readonly #options: GuardOptions;
  /** Streams that wait until they may write. In order: none is passed over. */
  readonly #waiting = new Set<() => void>();
  /** Since the last keys. */
  #sinceKeys = 0;
  #kexTimer: Disposable | undefined;
  #rekeyTimer: Disposable | undefined;
  #isCorked = false;
  lastSeen: number;
  /** Payload of streams. */
  bytesIn = 0;
  bytesOut = 0;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.lastSeen = options.clock.now();
    options.socket.on('data', this.#received);
    options.socket.on('drain', this.#proceed);
    this.#startRekeyTimer();
  }

  /** Keys were exchanged, for the first time or again. */
  exchanged(): void {
    this.#sinceKeys = 0;
    this.#kexTimer?.[Symbol.dispose]();
    this.#kexTimer = undefined;
    this.#startRekeyTimer();
    // ssh2 sends what it has queued first.
    queueMicrotask(this.#proceed);
  }

  get mayWrite(): boolean {
    const { socket, protocol, limits } = this.#options;
    return protocol._kexinit === undefined && socket.writableLength <= limits.unsent;
  }

  /** Calls once, when it is the caller's turn to write. */
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

  /** What is written until the end of this turn goes to the socket at once: ssh2 writes each packet by itself. */
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
      if (!this.mayWrite) return;
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
