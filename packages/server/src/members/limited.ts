/** Limits how many requests of this process one member has in flight (LIMIT-2). Streams and probes are not counted. */

import type { BytesReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { type Leave, RequestQueue } from './request-queue.ts';

/** In milliseconds, as long as a fan-out waits for a member. */
const longestWait = 5_000;

export class BusyError extends StatusError {
  constructor(cluster: string) {
    super(429, 'TooManyRequests', `cluster "${cluster}" is busy, please try again later`, { retryAfterSeconds: 1 });
  }
}

/**
 * A request to one cluster counts until its response ends. A part of a fan-out counts only until its response begins: its end
 * depends on the other members, and two fan-outs that wait for each other's slots would deadlock.
 */
export type Until = 'answered' | 'read';

/** The requests that share a queue: a thousand watches that begin at once do not delay lists. */
export type Line = 'requests' | 'watches';

export interface MemberLimits {
  limited(cluster: string, upstream: Upstream, until: Until, line?: Line): Upstream;
  /** Both queues of each cluster together. */
  lines(): Iterable<[cluster: string, line: Pick<RequestQueue, 'inUse' | 'waiting'>]>;
  forget(cluster: string): void;
}

/** The queues of one cluster, and the limited upstreams. */
type Lines = Record<Line, RequestQueue>;

/**
 * `most` 0: no limit. A queue is shorter than the limit of all requests, so that one hanging member does not use that up. For their
 * initial lists and permissions, watches have a quarter of the slots; many begin at once, so their queue is longer.
 */
export function createMemberLimits(most: number): MemberLimits {
  const clusters = new Map<string, Lines>();
  const linesTo = (cluster: string): Lines => {
    const lines = clusters.get(cluster) ?? {
      requests: new RequestQueue({ places: most, waiting: Math.ceil(most / 2), within: longestWait }),
      watches: new RequestQueue({ places: Math.ceil(most / 4), waiting: most, within: longestWait }),
    };
    clusters.set(cluster, lines);
    return lines;
  };
  const known = new Map<string, WeakMap<Upstream, Upstream>>();
  return {
    limited(cluster, upstream, until, line = 'requests') {
      if (most === 0) return upstream;
      const kind = `${until} ${line}`;
      const those = known.get(kind) ?? new WeakMap<Upstream, Upstream>();
      known.set(kind, those);
      const found = those.get(upstream) ?? limitedUpstream(cluster, linesTo(cluster)[line], upstream, until);
      those.set(upstream, found);
      return found;
    },
    *lines() {
      for (const [cluster, { requests, watches }] of clusters) {
        yield [cluster, { inUse: requests.inUse + watches.inUse, waiting: requests.waiting + watches.waiting }];
      }
    },
    forget: (cluster) => clusters.delete(cluster),
  };
}

function limitedUpstream(cluster: string, line: RequestQueue, upstream: Upstream, until: Until): Upstream {
  return {
    async call(call) {
      const entered = line.enter(call.signal, { of: String(call.headers['impersonate-user'] ?? '') });
      const leave = entered instanceof Promise ? await inTime(entered, cluster) : entered;
      if (!leave) throw new BusyError(cluster);
      return answered(upstream, call, leave, until);
    },
    // An upgrade is a stream.
    upgrade: (call) => upstream.upgrade(call),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

/** Whichever deadline has passed: nothing was sent to the member. A client that has disconnected reads no answer. */
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
