/** What one watcher still has to be sent: in order, bounded, read by whoever writes the answer. */

const roomBelow = 128 * 1024;
const joinUpTo = 256 * 1024;

export class EventQueue implements AsyncIterable<Buffer> {
  private waiting: Buffer[] = [];
  private size = 0;
  private ended = false;
  private wake: (() => void) | undefined;
  private roomWanted: (() => void)[] = [];
  private readonly limit: number;
  private readonly onReturn: () => void;

  /** `onReturn`: its reader has gone, or read all there was. */
  constructor(limit: number, onReturn: () => void) {
    this.limit = limit;
    this.onReturn = onReturn;
  }

  /** False if it is full, whatever the size of this: its reader is too slow. */
  push(bytes: Buffer): boolean {
    if (this.ended) return true;
    if (this.size > this.limit) return false;
    this.waiting.push(bytes);
    this.size += bytes.length;
    this.wake?.();
    return true;
  }

  /** Resolves when little is left to send, or nothing more will be. */
  async room(): Promise<void> {
    while (this.size >= roomBelow && !this.ended) await new Promise<void>((resolve) => this.roomWanted.push(resolve));
  }

  /** What is waiting is still sent. */
  end(): void {
    this.ended = true;
    this.wake?.();
    this.letIn();
  }

  /** For a reader that is too slow: what it has is whole events, and it asks again from there. */
  drop(): void {
    this.waiting = [];
    this.size = 0;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (;;) {
        if (this.waiting.length > 0) yield this.take();
        else if (this.ended) return;
        else await this.something();
      }
    } finally {
      this.drop();
      this.onReturn();
    }
  }

  private something(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.wake = undefined;
        resolve();
      };
    });
  }

  private take(): Buffer {
    let count = 0;
    let size = 0;
    while (count < this.waiting.length && (count === 0 || size + this.waiting[count]!.length <= joinUpTo)) {
      size += this.waiting[count++]!.length;
    }
    const taken = this.waiting.splice(0, count);
    this.size -= size;
    this.letIn();
    return taken.length === 1 ? taken[0]! : Buffer.concat(taken, size);
  }

  private letIn(): void {
    if (this.size >= roomBelow && !this.ended) return;
    const wanted = this.roomWanted;
    this.roomWanted = [];
    for (const resolve of wanted) resolve();
  }
}
