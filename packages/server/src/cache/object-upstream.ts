/** An upstream that answers GETs of one object from the cache, and passes on what the cache cannot answer exactly (CACHE-17). */

import { abortingWith } from '@fleet/client/abort.ts';
import { bodyOf } from '@fleet/client/reply-body.ts';
import type { BytesReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { warningHeader } from '@fleet/kube/warning.ts';
import { BusyError } from '../members/limited.ts';
import type { LiveReason } from './cached-feed.ts';
import type { CachedObject, ReadObject } from './cached-object.ts';
import { type ObjectQuery, objectQuery } from './object-query.ts';

export interface CachedGets {
  object: Pick<CachedObject, 'read' | 'readStale'>;
  /** In other views the cache answers a GET only while the member is unreachable (RV-1, CACHE-12). */
  isAggregation: boolean;
  onLive(reason: LiveReason): void;
  onCached(): void;
}

/** In milliseconds, as for a member's part of a list (LIST-1). After it, the last known object is sent if there is one. */
const headDeadline = 5_000;

export function answeringGets(live: Upstream, gets: CachedGets): Upstream {
  return {
    async call(call) {
      const query = objectQuery(call);
      const cached = await fromCache(gets, query, call.signal);
      if (typeof cached !== 'string') {
        gets.onCached();
        return cached;
      }
      if (gets.isAggregation) gets.onLive(cached);
      const stale = query && cached === 'not-fresh' && isServedStale(query, gets.isAggregation);
      return stale ? liveOrStale(live, call, (signal) => staleReply(gets, query, signal)) : live.call(call);
    },
    upgrade: (call) => live.upgrade(call),
    [Symbol.asyncDispose]: () => live[Symbol.asyncDispose](),
  };
}

/** Tables are for people, who see the warning; `resourceVersion=0` accepts any version (CACHE-12). */
export const isServedStale = ({ at, form }: ObjectQuery, isAggregation: boolean): boolean =>
  isAggregation || form.as === 'Table' || at.is === 'any';

async function fromCache(
  { object, isAggregation }: CachedGets,
  query: ObjectQuery | undefined,
  signal: AbortSignal,
): Promise<BytesReply | LiveReason> {
  if (!query) return 'form';
  // Outside the aggregation endpoint, the member is tried first.
  if (!isAggregation) return 'not-fresh';
  const read = await object.read(query, signal);
  return typeof read === 'string' ? read : replyOf(read);
}

async function staleReply({ object, onCached }: CachedGets, query: ObjectQuery, signal: AbortSignal) {
  const read = await object.readStale(query, signal);
  if (!read) return undefined;
  onCached();
  return replyOf(read);
}

type Stale = (signal: AbortSignal) => Promise<BytesReply | undefined>;

/** The member's answer, or the last known object if the member fails or exceeds the deadline. */
async function liveOrStale(live: Upstream, call: UpstreamCall, stale: Stale): Promise<BytesReply> {
  const abandoned = abortingWith(call.signal);
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), headDeadline);
  const answer = live.call({ ...call, signal: abandoned.signal }).then(
    (reply) => ({ reply }),
    (error: unknown) => ({ error }),
  );
  try {
    const first = await Promise.race([answer, late.promise]);
    const isAnswered = first !== 'late' && 'reply' in first && !isServerFailure(first.reply.status);
    const last = isAnswered ? undefined : await lastKnown(first, call, stale);
    if (last) {
      if (first !== 'late' && 'reply' in first) first.reply.body.cancel();
      abandoned.abort(new Error('the last known object was sent instead'));
      return last;
    }
    const whole = await answer;
    if ('error' in whole) throw whole.error;
    return whole.reply;
  } finally {
    clearTimeout(timer);
  }
}

function lastKnown(
  answer: { reply: BytesReply } | { error: unknown } | 'late',
  { signal }: UpstreamCall,
  stale: Stale,
): Promise<BytesReply | undefined> | undefined {
  const isOwnLimit = answer !== 'late' && 'error' in answer && answer.error instanceof BusyError;
  return signal.aborted || isOwnLimit ? undefined : stale(signal);
}

/** As in LIST-4. */
const isServerFailure = (status: number): boolean => status === 401 || status >= 500;

function replyOf({ bytes, warning }: ReadObject): BytesReply {
  const headers = {
    'cache-control': 'no-cache, private',
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...(warning === undefined ? {} : { warning: [warningHeader(warning)] }),
  };
  return { status: 200, headers, body: bodyOf(bytes) };
}
