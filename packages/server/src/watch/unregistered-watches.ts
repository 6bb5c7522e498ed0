/**
 * Watches at the aggregation endpoint that the control plane answers. Once a ResourceRegistry selects their resource, its objects come from
 * members: such a watch ends, and its client lists again (CACHE-4).
 */

import type { Incoming, Reply } from '../http/message.ts';
import type { AskedResource, Registrations } from '../target/registered.ts';
import { errorLine, readFromMembers } from './lost.ts';

interface Open {
  asked: AskedResource;
  end(): void;
}

export class UnregisteredWatches {
  private readonly registrations: Pick<Registrations, 'isRegistered'>;
  private readonly open = new Set<Open>();

  constructor(registrations: Pick<Registrations, 'isRegistered'>) {
    this.registrations = registrations;
  }

  /** How many are open. */
  get size(): number {
    return this.open.size;
  }

  /** Other resources are registered than before. */
  check(): void {
    for (const { asked, end } of [...this.open]) if (this.registrations.isRegistered(asked)) end();
  }

  /** The reply that `send` gets, until the resource is registered. */
  async pass(asked: AskedResource, incoming: Incoming, send: (incoming: Incoming) => Promise<Reply>): Promise<Reply> {
    const [registered, closed] = [new AbortController(), new AbortController()];
    const one: Open = { asked, end: () => registered.abort() };
    this.open.add(one);
    const forget = (): void => void this.open.delete(one);
    incoming.signal.addEventListener('abort', forget, { once: true });
    const close = (): void => {
      forget();
      closed.abort(new Error('the watch is over'));
    };
    const reply = await send({ ...incoming, signal: AbortSignal.any([incoming.signal, closed.signal]) }).catch(
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    // Meanwhile: permissions and the control plane were asked.
    if (this.registrations.isRegistered(asked)) one.end();
    if (reply.is === 'upgraded') return untilOver(reply, registered.signal, close);
    if (reply.status !== 200 || reply.body === undefined || Buffer.isBuffer(reply.body)) {
      forget();
      return reply;
    }
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    const last = isJson && reply.headers['content-encoding'] === undefined ? errorLine(readFromMembers()) : undefined;
    return { ...reply, body: bodyUntil(reply.body, registered.signal, last, close) };
  }
}

/** Frames of another protocol: the client finds the connection closed, and watches again. */
function untilOver<Upgraded extends Reply & { is: 'upgraded' }>(
  reply: Upgraded,
  registered: AbortSignal,
  close: () => void,
): Upgraded {
  const end = (): void => void reply.stream.destroy();
  if (registered.aborted) end();
  else registered.addEventListener('abort', end, { once: true });
  reply.stream.once('close', close);
  return reply;
}

/** `last` is sent between two events; without it the stream just ends. */
async function* bodyUntil(
  body: AsyncIterable<Buffer>,
  registered: AbortSignal,
  last: Buffer | undefined,
  close: () => void,
): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  let isBetween = true;
  let stop: (() => void) | undefined;
  const stopped = (): void => stop?.();
  registered.addEventListener('abort', stopped);
  try {
    for (;;) {
      const next = chunks.next();
      const canStop = isBetween || last === undefined;
      const step = await new Promise<IteratorResult<Buffer> | undefined>((resolve, reject) => {
        stop = canStop ? () => resolve(undefined) : undefined;
        if (registered.aborted) stop?.();
        next.then(resolve, reject);
      });
      if (!step) {
        if (last) yield last;
        return;
      }
      if (step.done) return;
      isBetween = step.value.at(-1) === newline;
      yield step.value;
    }
  } finally {
    registered.removeEventListener('abort', stopped);
    close();
  }
}

const newline = 0x0a;
