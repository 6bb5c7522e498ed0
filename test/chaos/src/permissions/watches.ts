/** Watches of one user over one product: one that stays open, and others that come and go beside it, each event judged. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint } from '@fleet/differential/endpoint.ts';
import type { Random } from '@fleet/differential/random.ts';
import { linesOf, openWatch } from '../watch-lines.ts';
import type { Asked, Judge } from './judge.ts';
import { type Cluster, clusters, type User } from './model.ts';
import { namespacePath } from './requests.ts';

interface Line {
  type: string;
  object: { code?: number; metadata?: { name?: string; resourceVersion?: string } };
}

/** Long enough for several events of every cluster. */
const shortest = 3_000;

export interface WatchesOptions {
  readonly user: User;
  readonly endpoint: Endpoint;
  readonly judge: Judge;
  readonly random: Random;
  /** No: nothing but time makes the product ask again about what the staying watch has. */
  readonly comeAndGo: boolean;
  /** Where a watch may resume from. */
  readonly version: () => string | undefined;
}

export async function keepWatching(options: WatchesOptions, signal: AbortSignal): Promise<void> {
  const passing = options.comeAndGo ? [joiningWatches(options, signal), resumingWatches(options, signal)] : [];
  await Promise.all([stayingWatch(options, signal), ...passing]);
}

async function stayingWatch(options: WatchesOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await watchOnce(options, 'watch', '', signal);
    await pause(250, undefined, { signal }).catch(() => {});
  }
}

/** They join what the staying one has open, with the initial list. */
async function joiningWatches(options: WatchesOptions, signal: AbortSignal): Promise<void> {
  const { random } = options;
  while (!signal.aborted) {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(shortest + 500 + random.below(1_000))]);
    await watchOnce(options, 'joining watch', '', ends);
    await pause(random.below(500), undefined, { signal }).catch(() => {});
  }
}

/** From a version of before, often enough that one comes within every revocation. */
async function resumingWatches(options: WatchesOptions, signal: AbortSignal): Promise<void> {
  const { random, version } = options;
  while (!signal.aborted) {
    const from = version();
    const ends = AbortSignal.any([signal, AbortSignal.timeout(1_000 + random.below(500))]);
    if (from !== undefined)
      await watchOnce(options, 'resuming watch', `&resourceVersion=${encodeURIComponent(from)}`, ends);
    await pause(250 + random.below(250), undefined, { signal }).catch(() => {});
  }
}

/** Until the server or the signal ends it. */
async function watchOnce(
  { user, endpoint, judge }: WatchesOptions,
  name: string,
  query: string,
  signal: AbortSignal,
): Promise<void> {
  const from = performance.now();
  const path = `${namespacePath}?watch=true&allowWatchBookmarks=true${query}`;
  const askedNow = (detail = ''): Asked => ({
    request: name,
    user,
    from,
    to: performance.now(),
    detail: `${path} ${detail}`,
  });
  const response = await openWatch(endpoint, path, signal);
  if (response === undefined) return;
  if (response.statusCode !== 200) {
    response.resume();
    if (response.statusCode !== 403) judge.unexpected(askedNow(), `answered with ${response.statusCode}`);
    return judge.answer(askedNow(String(response.statusCode)), clusters, new Set());
  }
  const held = new Set<Cluster>();
  const look = setInterval(() => judge.open(askedNow(), held), 500);
  try {
    let code: number | undefined;
    for await (const { type, object } of linesOf<Line>(response)) {
      if (type === 'ERROR') code = object.code;
      const cluster = clusters.find((one) => object.metadata?.name?.endsWith(`.clusterspace.${one}`));
      if (!cluster) continue;
      held.add(cluster);
      judge.event(askedNow(`${type} ${object.metadata?.name}`), cluster);
    }
    // A version of a cluster that is no longer reached is refused at once.
    if (!signal.aborted) judge.ended(askedNow(`ended, ${code}`), code);
  } catch (error) {
    if (!signal.aborted) judge.unexpected(askedNow(), `broken off: ${error}`);
  } finally {
    clearInterval(look);
    if (signal.aborted && performance.now() - from > shortest) judge.silent(askedNow(), held);
  }
}
