/** How many requests one member has to answer at once for this process (LIMIT-2); streams are not counted, nor are probes. */

import type { BytesReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { type Leave, PlacesInLine } from './places-in-line.ts';

/** As long as a fan-out waits for a member's part. */
const longestWait = 5_000;

export class BusyError extends StatusError {
  constructor(cluster: string) {
    super(429, 'TooManyRequests', `cluster "${cluster}" is busy, please try again later`, { retryAfterSeconds: 1 });
  }
}

/**
 * A request to one place holds its place to the end of the answer. A part of a fan-out holds it only until the answer
 * begins: its end depends on the other members, and two fan-outs that hold what the other waits for would both stand still.
 */
export type Until = 'answered' | 'read';

export interface MemberLimits {
  limited(cluster: string, upstream: Upstream, until: Until): Upstream;
  lines(): Iterable<[cluster: string, line: PlacesInLine]>;
  forget(cluster: string): void;
}

/** `most` 0: as many as come. The line is shorter, so that one member that hangs leaves room for requests to others. */
export function createMemberLimits(most: number): MemberLimits {
  const lines = new Map<string, PlacesInLine>();
  const lineTo = (cluster: string): PlacesInLine => {
    const line =
      lines.get(cluster) ?? new PlacesInLine({ places: most, waiting: Math.ceil(most / 2), within: longestWait });
    lines.set(cluster, line);
    return line;
  };
  const known = { answered: new WeakMap<Upstream, Upstream>(), read: new WeakMap<Upstream, Upstream>() };
  return {
    limited(cluster, upstream, until) {
      if (most === 0) return upstream;
      const found = known[until].get(upstream) ?? limitedUpstream(cluster, lineTo(cluster), upstream, until);
      known[until].set(upstream, found);
      return found;
    },
    lines: () => lines,
    forget: (cluster) => lines.delete(cluster),
  };
}

function limitedUpstream(cluster: string, line: PlacesInLine, upstream: Upstream, until: Until): Upstream {
  return {
    async call(call) {
      const entered = line.enter(call.signal);
      const leave = entered instanceof Promise ? await inTime(entered, cluster) : entered;
      if (!leave) throw new BusyError(cluster);
      return answered(upstream, call, leave, until);
    },
    // What changes protocols is a stream.
    upgrade: (call) => upstream.upgrade(call),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

/** Whose deadline it was does not matter: the member was not even asked. A client that is gone reads no answer. */
const inTime = (entered: Promise<Leave | undefined>, cluster: string): Promise<Leave | undefined> =>
  entered.catch((cause: unknown) => {
    throw Object.assign(new BusyError(cluster), { cause });
  });

async function answered(upstream: Upstream, call: UpstreamCall, leave: Leave, until: Until): Promise<BytesReply> {
  try {
    const reply = await upstream.call(call);
    if (until === 'read') reply.body.whenClosed(leave);
    else leave();
    return reply;
  } catch (error) {
    leave();
    throw error;
  }
}
