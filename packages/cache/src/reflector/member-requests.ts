/** What a reflector asks a member for: pages of a list, a watch, and whether it knows a version. Each has a deadline. */

import { type Clock, deadlineOf, sleep } from '@fleet/client/clock.ts';
import { errorOf } from '@fleet/client/kube-client.ts';
import type { BytesReply, Upstream } from '@fleet/client/upstream.ts';
import { type ColumnDefinition, splitList } from '@fleet/kube/list-splitter.ts';
import { StatusError } from '@fleet/kube/status.ts';

/** Rows of a Table with their whole objects, objects, or nothing but their metadata. */
export type Wanted = 'row' | 'object' | 'metadata';

export interface MemberRequestsOptions {
  /** With the product's own credential. */
  upstream: Upstream;
  /** As in `/apis/apps/v1/deployments`. */
  path: string;
  clock: Clock;
}

export const pageSize = 500;
/** In milliseconds: for the head of a small answer, and for the head of a page. */
const [headDeadline, pageDeadline] = [5_000, 60_000];
/** A list under way waits for a member that is busy, but not for ever. */
const mostBusyAnswers = 20;
const longestRetry = 60_000;

const as = (kind: string): string => `application/json;as=${kind};v=v1;g=meta.k8s.io,application/json`;

function acceptOf(wanted: Wanted, isWatch: boolean): string {
  switch (wanted) {
    case 'row':
      return as('Table');
    case 'metadata':
      return as(isWatch ? 'PartialObjectMetadata' : 'PartialObjectMetadataList');
    case 'object':
      return 'application/json';
    default:
      return wanted satisfies never;
  }
}

/** The member wants to be asked again in so many milliseconds (429). */
export class BusyMemberError extends StatusError {
  readonly retryAfter: number;

  constructor({ code, reason, message, details }: StatusError, retryAfter: number) {
    super(code, reason, message, details);
    this.retryAfter = retryAfter;
  }
}

export const isTooLarge = (error: unknown): boolean =>
  error instanceof StatusError &&
  error.code === 504 &&
  (error.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false);

export class MemberRequests {
  private readonly options: MemberRequestsOptions;

  constructor(options: MemberRequestsOptions) {
    this.options = options;
  }

  /** Whether the member lists the resource at all, before a list of it takes anybody's turn. */
  async tryList(wanted: Wanted, signal: AbortSignal): Promise<void> {
    const reply = await this.get(wanted, 'limit=1', headDeadline, signal);
    reply.body.cancel();
  }

  /** Of its Tables; undefined where it has none. */
  async columns(signal: AbortSignal): Promise<readonly ColumnDefinition[] | undefined> {
    const { body } = await this.get('row', 'limit=1', headDeadline, signal);
    try {
      for await (const part of splitList(body, body.memory)) {
        return part.is === 'head' ? part.envelope.columnDefinitions : undefined;
      }
      return undefined;
    } finally {
      body.cancel();
    }
  }

  /** All there is without a limit. A busy member is asked again when it wants to be. */
  async page(wanted: Wanted, limit: number | undefined, token: string, signal: AbortSignal): Promise<BytesReply> {
    const query = [limit && `limit=${limit}`, token && `continue=${encodeURIComponent(token)}`]
      .filter(Boolean)
      .join('&');
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.get(wanted, query, pageDeadline, signal);
      } catch (error) {
        if (!(error instanceof BusyMemberError) || attempt === mostBusyAnswers) throw error;
        await sleep(this.options.clock, error.retryAfter, signal);
      }
    }
  }

  watch(wanted: Wanted, position: string, signal: AbortSignal): Promise<BytesReply> {
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(position)}`;
    return this.get(wanted, query, headDeadline, signal, true);
  }

  /** Throws 504 where the member has not come to that version: it may have gone back (CACHE-5). */
  async reach(position: string, signal: AbortSignal): Promise<void> {
    const version = `resourceVersion=${encodeURIComponent(position)}&resourceVersionMatch=NotOlderThan`;
    // A member waits for the version for some seconds before it answers that it has not come.
    const reply = await this.get('metadata', `limit=1&${version}`, 2 * headDeadline, signal);
    reply.body.cancel();
  }

  private async get(
    wanted: Wanted,
    query: string,
    patience: number,
    signal: AbortSignal,
    isWatch = false,
  ): Promise<BytesReply> {
    const { upstream, path, clock } = this.options;
    const asked = [wanted === 'row' && 'includeObject=Object', query].filter(Boolean).join('&');
    // For the head, and for a refusal, only: a body has its own.
    using deadline = deadlineOf(clock, patience, signal);
    const reply = await upstream.call({
      method: 'GET',
      path: `${path}${asked === '' ? '' : `?${asked}`}`,
      headers: {
        accept: acceptOf(wanted, isWatch),
        'accept-encoding': 'identity',
        'user-agent': 'fleet-cache',
      },
      signal: deadline.signal,
    });
    if (reply.status === 200) return reply;
    const error = errorOf(reply.status, await reply.body.refusal());
    throw error.code === 429 ? new BusyMemberError(error, retryAfterOf(reply)) : error;
  }
}

/** `Retry-After` in seconds; a date counts as one second, and 0 does not mean at once and again. */
function retryAfterOf({ headers }: BytesReply): number {
  const seconds = Number(headers['retry-after'] ?? 1);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds * 1000, 100), longestRetry) : 1000;
}
