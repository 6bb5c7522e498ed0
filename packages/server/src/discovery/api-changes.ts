/** Notices changes of the APIs of a place by watching its CustomResourceDefinitions and APIServices (DISC-3). */

import { setTimeout as delay } from 'node:timers/promises';
import type { ReplyBody } from '@fleet/client/reply-body.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { TooLargeError } from '@fleet/kube/growing-bytes.ts';

export interface WatchedPlace {
  name: string;
  upstream: Upstream;
}

const watched = [
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  // Aggregated APIs have one, and so has every group and version of a custom resource.
  '/apis/apiregistration.k8s.io/v1/apiservices',
];

/** Requests metadata only: what matters is that something changed, not what. */
const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const length = 600;
/** In milliseconds: by this time a broken connection is noticed. */
const longest = (length + 30) * 1_000;
const firstPause = 1_000;
const longestPause = 30_000;
/** For a member that was joined before this permission was needed: discovery is read twice a minute anyway. */
const refusedPause = 60_000;

/** Ends early when the signal aborts, without an error. */
const wait = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => {});

export class ApiChanges implements Disposable {
  private readonly followed = new Map<string, { upstream: Upstream; stop: AbortController }>();
  private readonly onChange: (name: string) => void;
  private readonly wait: typeof wait;

  constructor(onChange: (name: string) => void, waiting = wait) {
    this.onChange = onChange;
    this.wait = waiting;
  }

  /** Watches these places, and no others. */
  follow(places: readonly WatchedPlace[]): void {
    const upstreams = new Map(places.map(({ name, upstream }) => [name, upstream]));
    for (const [name, { upstream, stop }] of this.followed) {
      if (upstreams.get(name) === upstream) continue;
      stop.abort();
      this.followed.delete(name);
    }
    for (const place of places) {
      if (this.followed.has(place.name)) continue;
      const stop = new AbortController();
      this.followed.set(place.name, { upstream: place.upstream, stop });
      for (const path of watched) void this.watchOn(place, path, stop.signal);
    }
  }

  [Symbol.dispose](): void {
    this.follow([]);
  }

  private async watchOn({ name, upstream }: WatchedPlace, path: string, stop: AbortSignal): Promise<void> {
    let pause = firstPause;
    while (!stop.aborted) {
      const began = Date.now();
      // An unreachable place is logged by the code that reads it.
      const ended = await this.watch(name, upstream, path, stop).catch(() => 'failed' as const);
      if (Date.now() - began > longestPause) pause = firstPause;
      await this.wait(ended === 'refused' ? refusedPause : pause, stop);
      pause = Math.min(pause * 2, longestPause);
    }
  }

  private async watch(name: string, upstream: Upstream, path: string, stop: AbortSignal): Promise<'ended' | 'refused'> {
    const reply = await upstream.call({
      method: 'GET',
      path: `${path}?watch=true&timeoutSeconds=${length}`,
      headers: { accept, 'user-agent': 'fleet' },
      signal: AbortSignal.any([stop, AbortSignal.timeout(longest)]),
    });
    if (reply.status !== 200) {
      await reply.body.refusal();
      return 'refused';
    }
    // A watch without a version begins with all objects, so changes between two watches are noticed, too.
    for await (const _ of arrivals(reply.body)) this.onChange(name);
    return 'ended';
  }
}

const newline = 0x0a;

/** Yields once for all events of one chunk, which may be very many (SEC-2). */
async function* arrivals(body: ReplyBody): AsyncGenerator<void> {
  const { objectLimit } = body.memory;
  let unfinished = 0;
  for await (const chunk of body) {
    const end = chunk.lastIndexOf(newline);
    unfinished = end < 0 ? unfinished + chunk.length : chunk.length - end - 1;
    if (unfinished > objectLimit) throw new TooLargeError(objectLimit);
    if (end >= 0) yield;
  }
}
