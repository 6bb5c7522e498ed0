/** Reads a resource from a member, page by page, as the user. */

import { setTimeout as delay } from 'node:timers/promises';
import { withIdleDeadline } from '@fleet/client/idle-deadline.ts';
import { errorOf } from '@fleet/client/kube-client.ts';
import type { BytesReply, Headers, Upstream } from '@fleet/client/upstream.ts';
import { MemoryTakenError } from '@fleet/kube/answer-memory.ts';
import { TooLargeError } from '@fleet/kube/growing-bytes.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { acceptFor, type Form } from '@fleet/kube/negotiate.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { timerMillis } from '@fleet/kube/timer-millis.ts';
import { watchBatches } from '@fleet/kube/watch-lines.ts';
import { BusyError } from '../members/limited.ts';
import type { ClusterName } from '../target/target.ts';
import { liveEvents } from './live-events.ts';
import { openList } from './live-items.ts';
import { memberAllows } from './member-review.ts';
import { firstPageAgain, pageQuery } from './page-query.ts';
import type { Page } from './patient-page.ts';
import type { ListAnswer, ListAsk, NoList, Permission, Source, WatchAnswer, WatchAsk } from './source.ts';

export interface LiveSourceOptions {
  cluster: ClusterName;
  upstream: Upstream;
  /** For streams, which are not counted as requests. */
  streams: Upstream;
  path: string;
  /** The kind of objects at that path. */
  resource?: ResourceRequest | undefined;
  /** The user's identity and user agent. */
  headers: Headers;
  headDeadline: number;
}

/** Members are read in pages, so that a slow client does not exceed a member's request timeout (LIST-1). */
export const pageSize = 500;
/** In milliseconds: how long a member may take between two pages. */
const pageDeadline = 60_000;
/** In milliseconds. Members send bookmarks every minute: if one is silent for longer, its connection may be broken. */
const silenceDeadline = 150_000;

export class LiveSource implements Source {
  readonly cluster: ClusterName;
  private readonly options: LiveSourceOptions;

  constructor(options: LiveSourceOptions) {
    this.cluster = options.cluster;
    this.options = options;
  }

  async list(ask: ListAsk): Promise<ListAnswer> {
    const patience = Math.min(this.options.headDeadline, ask.query.timeout ?? Number.POSITIVE_INFINITY);
    const deadline = AbortSignal.timeout(timerMillis(patience));
    try {
      const reply = await this.untilNotBusy(ask, deadline, pageQuery(ask.query, firstPage(ask)));
      return await before(deadline, reply, () => this.read(ask, reply));
    } catch (error) {
      if (ask.signal.aborted) throw error;
      if (error instanceof BusyError) return { is: 'missing', reason: 'is busy' };
      return { is: 'missing', reason: deadline.aborted ? 'did not answer in time' : reasonOf(error) };
    }
  }

  async watch(ask: WatchAsk): Promise<WatchAnswer> {
    const reply = await this.openWatch(ask);
    if ('is' in reply) return reply;
    const lines = watchBatches(withIdleDeadline(reply.body, silenceDeadline), reply.body.memory);
    return { is: 'open', batches: liveEvents(lines, ask.from) };
  }

  /** Unless the review allows it, the request itself is sent: a refusal is always the member's own (IMP-3). */
  async canWatch(ask: WatchAsk): Promise<Permission> {
    if (await this.isAllowed(ask.signal)) return { is: 'allowed' };
    const reply = await this.openWatch(ask);
    if ('is' in reply) return reply;
    reply.body.cancel();
    return { is: 'allowed' };
  }

  /** If the version is newer than the member's own, the member waits for it. */
  async hasLost(): Promise<boolean> {
    return false;
  }

  private async isAllowed(signal: AbortSignal): Promise<boolean> {
    const { upstream, headers, resource, headDeadline } = this.options;
    if (!resource) return false;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(headDeadline)]);
    return memberAllows(upstream, headers, 'watch', resource, inTime).catch(() => false);
  }

  private async openWatch({ from, selection, form, signal }: WatchAsk): Promise<BytesReply | NoList> {
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(from)}`;
    const deadline = AbortSignal.timeout(this.options.headDeadline);
    try {
      const asked = selection.text === '' ? query : `${selection.text}&${query}`;
      const reply = await this.head(this.options.streams, asked, form, signal, deadline);
      return reply.status === 200 ? reply : refusalOf(reply.status, await reply.body.refusal());
    } catch (error) {
      if (signal.aborted) throw error;
      return { is: 'missing', reason: deadline.aborted ? 'did not answer in time' : reasonOf(error) };
    }
  }

  private async read(ask: ListAsk, reply: BytesReply): Promise<ListAnswer> {
    if (reply.status !== 200) return refusalOf(reply.status, await reply.body.refusal());
    let left = requestedBy(ask) - firstPage(ask);
    const first = this.pageOf(ask, reply, firstPage(ask));
    return openList(first, (token) => {
      const size = Math.min(left, pageSize);
      if (size === 0) return undefined;
      left -= size;
      return this.laterPage(ask, size, token);
    });
  }

  private async laterPage(ask: ListAsk, size: number, token: string): Promise<Page> {
    return this.pageOf(ask, await this.furtherPage(ask, pageQuery(ask.query, size, token)), size, token);
  }

  private pageOf(ask: ListAsk, reply: BytesReply, size: number, token?: string): Page {
    return {
      reply,
      came: Date.now(),
      // A continue token contains its version. A first page has a version of its own, unless that comes last.
      again: (version) => {
        if (token !== undefined) return this.furtherPage(ask, pageQuery(ask.query, size, token));
        return version ? this.furtherPage(ask, firstPageAgain(ask.query, version, size)) : undefined;
      },
    };
  }

  /** Reads a later page: an answer other than a page breaks the list. */
  private async furtherPage(ask: ListAsk, query: string): Promise<BytesReply> {
    const reply = await this.untilNotBusy(ask, AbortSignal.timeout(pageDeadline), query);
    if (reply.status === 200) return reply;
    const cause = errorOf(reply.status, await reply.body.refusal());
    throw new Error(`a later page was answered ${reply.status}`, { cause });
  }

  /** A 429 is retried while there is time. */
  private async untilNotBusy(ask: ListAsk, deadline: AbortSignal, query: string): Promise<BytesReply> {
    for (;;) {
      const reply = await this.page(ask, query, deadline).catch(onlyBusy);
      if (reply instanceof BusyError) {
        await this.pause(1_000, ask, deadline).catch(() => {
          throw reply;
        });
        continue;
      }
      if (reply.status !== 429) return reply;
      reply.body.cancel();
      await this.pause(pauseOf(reply), ask, deadline);
    }
  }

  private pause(time: number, { signal }: ListAsk, deadline: AbortSignal): Promise<void> {
    return delay(time, undefined, { signal: AbortSignal.any([signal, deadline]) });
  }

  private page({ form, signal }: ListAsk, query: string, deadline: AbortSignal): Promise<BytesReply> {
    return this.head(this.options.upstream, query, form, signal, deadline);
  }

  /** The deadline is for the head only: a slow client may take longer over the body. */
  private async head(
    upstream: Upstream,
    query: string,
    form: Form,
    signal: AbortSignal,
    deadline: AbortSignal,
  ): Promise<BytesReply> {
    const head = new AbortController();
    const tooLate = () => head.abort(deadline.reason);
    deadline.addEventListener('abort', tooLate, { once: true });
    if (deadline.aborted) tooLate();
    try {
      return await upstream.call({
        method: 'GET',
        path: `${this.options.path}?${query}`,
        headers: { ...this.options.headers, accept: acceptFor(form), 'accept-encoding': 'identity' },
        signal: AbortSignal.any([signal, head.signal]),
      });
    } finally {
      deadline.removeEventListener('abort', tooLate);
    }
  }
}

const requestedBy = ({ query }: ListAsk): number => query.limit ?? Number.POSITIVE_INFINITY;
const firstPage = (ask: ListAsk): number => Math.min(requestedBy(ask), pageSize);

/** Rejected by our own queue, which counts like the member's own 429 (LIMIT-2). */
function onlyBusy(error: unknown): BusyError {
  if (error instanceof BusyError) return error;
  throw error;
}

/** `Retry-After` in seconds. A date counts as one second, and so does 0. */
function pauseOf({ headers }: BytesReply): number {
  const seconds = Number(headers['retry-after'] ?? 1);
  return Number.isFinite(seconds) ? timerMillis(Math.max(seconds * 1000, 100)) : 1000;
}

/** Discards the reply at the deadline, whatever of it is still pending. */
async function before<T>(deadline: AbortSignal, { body }: BytesReply, work: () => Promise<T>): Promise<T> {
  const cancel = () => body.cancel();
  deadline.addEventListener('abort', cancel, { once: true });
  try {
    return await work();
  } finally {
    deadline.removeEventListener('abort', cancel);
  }
}

const isGarbage = (error: unknown): boolean =>
  error instanceof TooLargeError || error instanceof JsonBytesError || error instanceof SyntaxError;

function reasonOf(error: unknown): string {
  if (error instanceof MemoryTakenError) return 'has too many large objects that are being read';
  return isGarbage(error) ? 'gave an answer that cannot be read' : 'cannot be reached';
}

function refusalOf(status: number, bytes: Buffer): NoList {
  const error = errorOf(status, bytes);
  switch (status) {
    case 404:
      return { is: 'absent' };
    case 403:
      return { is: 'refused', error };
    case 410:
      return { is: 'expired', error };
    case 400:
    case 422:
      return { is: 'invalid', error };
    case 504:
      if (error.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge')) {
        return { is: 'too-new', error };
      }
      return { is: 'missing', reason: `answered ${status}` };
    default:
      return { is: 'missing', reason: `answered ${status}` };
  }
}
