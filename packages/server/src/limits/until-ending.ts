/** Ends a watch's body when the server ends, between two events (LIMIT-1). */

import type { PushedBody, Sink } from '../http/message.ts';

/** Signals the shutdown to every open watch. */
export interface Ending {
  begun: boolean;
  readonly open: Set<() => void>;
}

const newline = 0x0a;

/** Stays a pushed body: there are thousands, and a generator would need a promise for each of their chunks. */
export class PushedUntilEnding implements PushedBody {
  private readonly body: PushedBody;
  private readonly ending: Ending;
  private readonly inLines: boolean;
  private midLine = false;
  private over = false;

  constructor(body: PushedBody, ending: Ending, inLines: boolean) {
    this.body = body;
    this.ending = ending;
    this.inLines = inLines;
  }

  async pushInto(sink: Sink): Promise<void> {
    const end = () => {
      if (!this.midLine) this.stop();
    };
    this.ending.open.add(end);
    if (this.ending.begun) end();
    try {
      await this.body.pushInto({
        write: (chunk) => this.write(chunk, sink),
        get unsent() {
          return sink.unsent;
        },
        onDrain: (listener) => sink.onDrain(listener),
      });
    } finally {
      this.ending.open.delete(end);
    }
  }

  stop(): void {
    this.over = true;
    this.body.stop();
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer, void, undefined> {
    return untilEnding(this.body, this.ending, this.inLines);
  }

  private write(chunk: Buffer, sink: Sink): boolean {
    if (this.over) return true;
    const rest = this.ending.begun ? chunk.indexOf(newline) + 1 : 0;
    const written = rest > 0 ? chunk.subarray(0, rest) : chunk;
    this.midLine = this.inLines && written.at(-1) !== newline;
    const takesMore = sink.write(written);
    if (rest > 0) this.stop();
    return takesMore;
  }
}

export async function* untilEnding(
  body: AsyncIterable<Buffer>,
  ending: Ending,
  inLines: boolean,
): AsyncGenerator<Buffer, void, undefined> {
  const chunks = body[Symbol.asyncIterator]();
  let stop = () => {};
  const end = () => stop();
  ending.open.add(end);
  let midLine = false;
  try {
    while (midLine || !ending.begun) {
      const next = chunks.next();
      // Not a race with one long promise: that would keep a reference per event until the end.
      const got = await new Promise<IteratorResult<Buffer> | undefined>((resolve, reject) => {
        if (!midLine) stop = () => resolve(undefined);
        next.then(resolve, reject);
      });
      if (!got || got.done) return;
      const rest = ending.begun && midLine ? got.value.indexOf(newline) + 1 : 0;
      if (rest > 0) {
        yield got.value.subarray(0, rest);
        return;
      }
      yield got.value;
      midLine = inLines && got.value.at(-1) !== newline;
      stop = () => {};
    }
  } finally {
    ending.open.delete(end);
    // Not awaited: the body of an idle watch would only return with its next event. The request's signal ends it.
    Promise.resolve(chunks.return?.()).catch(() => {});
  }
}
