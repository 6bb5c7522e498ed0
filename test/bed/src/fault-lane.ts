import type { Socket } from 'node:net';

export type Fault =
  | { kind: 'healed' }
  | { kind: 'drop' }
  | { kind: 'delay'; milliseconds: number }
  | { kind: 'truncate'; bytes: number }
  | { kind: 'corrupt' };

/** A piece on its way; an empty one is the end. */
interface Piece {
  data: Buffer | undefined;
  due: number;
}

/** Above this much on its way, the sender is held. */
const most = 1 << 20;

/** One direction of a connection: pieces leave in the order they came, when the fault lets them. */
export class Lane {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #queue: Piece[] = [];
  #held = 0;
  #fault: Fault = { kind: 'healed' };
  #left = 0;
  #timer: NodeJS.Timeout | undefined;
  #onFlushed: (() => void) | undefined;
  #closed = false;

  constructor(from: Socket, to: Socket) {
    this.#from = from;
    this.#to = to;
    from.on('data', (data: Buffer) => this.#take(data));
    from.on('end', () => this.#take(undefined));
    to.on('drain', () => this.#push());
  }

  apply(fault: Fault): void {
    this.#fault = fault;
    if (fault.kind === 'truncate') this.#left = fault.bytes;
    this.#push();
  }

  /** Calls back when nothing is on its way any more. */
  flushed(callback: () => void): void {
    this.#onFlushed = callback;
    this.#push();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#queue.length = 0;
  }

  #take(data: Buffer | undefined): void {
    if (this.#closed) return;
    const delay = this.#fault.kind === 'delay' ? this.#fault.milliseconds : 0;
    this.#queue.push({ data, due: Date.now() + delay });
    this.#held += data?.length ?? 0;
    if (this.#held > most) this.#from.pause();
    this.#push();
  }

  #push(): void {
    clearTimeout(this.#timer);
    while (!this.#closed && this.#fault.kind !== 'drop' && !this.#to.writableNeedDrain) {
      const piece = this.#queue[0];
      if (!piece) {
        this.#onFlushed?.();
        return;
      }
      const wait = this.#fault.kind === 'delay' ? piece.due - Date.now() : 0;
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#push(), wait);
        return;
      }
      this.#queue.shift();
      this.#pass(piece.data);
    }
  }

  #pass(data: Buffer | undefined): void {
    if (!data) {
      this.#to.end();
      return;
    }
    this.#held -= data.length;
    if (this.#held <= most) this.#from.resume();
    if (this.#fault.kind === 'truncate') {
      this.#to.write(data.subarray(0, this.#left));
      this.#left -= data.length;
      if (this.#left <= 0) this.#cut();
      return;
    }
    this.#to.write(this.#fault.kind === 'corrupt' ? flipped(data) : data);
  }

  #cut(): void {
    this.close();
    this.#to.end();
    this.#from.destroy();
  }
}

function flipped(data: Buffer): Buffer {
  const copy = Buffer.from(data);
  const middle = copy.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 0xff;
  return copy;
}
