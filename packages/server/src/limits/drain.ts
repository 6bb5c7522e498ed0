/** How the server ends: it says so first, then watches end between two events, so that a client begins anew elsewhere (LIMIT-1). */

import type { Handler, Incoming, Reply } from '../http/message.ts';
import type { AskedTarget } from '../target/target.ts';

export interface Drain {
  /** From the first word of the end on: no longer ready. */
  readonly told: boolean;
  /** Everything is served as before for so many milliseconds, while those who look at `/readyz` send others elsewhere. */
  announce(delay: number): Promise<void>;
  /** Ends the watches; everything else may finish. */
  begin(): void;
  onTarget(incoming: Incoming, target: AskedTarget): void;
  wrap(handler: Handler): Handler;
}

/** Told to every watch that is open. */
interface Ending {
  begun: boolean;
  readonly open: Set<() => void>;
}

/** `onBegin` ends the streams that do so by themselves. */
export function createDrain(onBegin: () => void = () => {}): Drain {
  const ending: Ending = { begun: false, open: new Set() };
  const watches = new WeakSet<Incoming>();
  let told = false;
  return {
    get told() {
      return told;
    },
    async announce(delay) {
      told = true;
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    },
    begin() {
      told = true;
      ending.begun = true;
      onBegin();
      for (const end of ending.open) end();
    },
    onTarget(incoming, { ask }) {
      if (ask.is === 'resource' && ask.verb === 'watch') watches.add(incoming);
    },
    wrap: (handler) => async (incoming) => {
      const reply = await handler(incoming);
      return watches.has(incoming) ? endingWith(reply, ending) : reply;
    },
  };
}

function endingWith(reply: Reply, ending: Ending): Reply {
  if (reply.is === 'upgraded' || reply.endsItself) return reply;
  if (reply.body === undefined || Buffer.isBuffer(reply.body)) return reply;
  const inLines = String(reply.headers['content-type']).startsWith('application/json');
  return { ...reply, body: untilEnding(reply.body, ending, inLines) };
}

const newline = 0x0a;

async function* untilEnding(body: AsyncIterable<Buffer>, ending: Ending, inLines: boolean): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  let stop = () => {};
  const end = () => stop();
  ending.open.add(end);
  let midLine = false;
  try {
    while (midLine || !ending.begun) {
      const next = chunks.next();
      // Not a race with one long promise: that would keep something for every event until the very end.
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
    // Not waited for: one that is quiet would answer only with its next event. The request's signal ends it.
    Promise.resolve(chunks.return?.()).catch(() => {});
  }
}
