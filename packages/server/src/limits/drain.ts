/** Shuts down gracefully: `/readyz` fails, then watches end between two events, and clients reconnect to another server (LIMIT-1). */

import type { Handler, Incoming, Reply } from '../http/message.ts';
import { isPushed } from '../http/sink.ts';
import type { AskedTarget } from '../target/target.ts';
import { type Ending, PushedUntilEnding, untilEnding } from './until-ending.ts';

export interface Drain {
  /** The shutdown has begun: the server is no longer ready. */
  readonly begun: boolean;
  /** In milliseconds: requests are served as before for so long, until load balancers notice `/readyz`. */
  announce(delay: number): Promise<void>;
  /** Ends the watches. Other requests may finish. */
  begin(): void;
  onTarget(incoming: Incoming, target: AskedTarget): void;
  wrap(handler: Handler): Handler;
}

/** `onBegin` ends the streams that do so by themselves. */
export function createDrain(onBegin: () => void = () => {}): Drain {
  const ending: Ending = { begun: false, open: new Set() };
  const watches = new WeakSet<Incoming>();
  let begun = false;
  return {
    get begun() {
      return begun;
    },
    async announce(delay) {
      begun = true;
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    },
    begin() {
      begun = true;
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
  const body = isPushed(reply.body)
    ? new PushedUntilEnding(reply.body, ending, inLines)
    : untilEnding(reply.body, ending, inLines);
  return { ...reply, body };
}
