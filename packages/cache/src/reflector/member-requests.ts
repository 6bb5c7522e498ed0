/** The requests that a reflector sends to a member: list pages, a watch, and probes. Each has a deadline. */

import { type Clock, deadlineOf, sleep } from '@fleet/client/clock.ts';
import { errorOf } from '@fleet/client/kube-client.ts';
import type { BytesReply, Upstream } from '@fleet/client/upstream.ts';
import { type ColumnDefinition, splitList } from '@fleet/kube/list-splitter.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { TimedBody } from './timed-body.ts';

/** What items are requested as: Table rows with their whole objects, objects, or PartialObjectMetadata. */
export type RequestedForm = 'row' | 'object' | 'metadata';

export interface PrintedColumns {
  columns?: readonly ColumnDefinition[] | undefined;
  row?: Buffer | undefined;
}

export interface MemberRequestsOptions {
  /** With the product's own credential. */
  upstream: Upstream;
  /** As in `/apis/apps/v1/deployments`. */
  path: string;
  clock: Clock;
}

export const pageSize = 500;
/** In milliseconds until the response headers: of a small response, and of a page. */
const [headDeadline, pageDeadline] = [5_000, 60_000];
/** How often one page is retried after 429. */
const mostBusyAnswers = 20;
const longestRetry = 60_000;

const as = (kind: string): string => `application/json;as=${kind};v=v1;g=meta.k8s.io,application/json`;

function acceptOf(requestedForm: RequestedForm, isWatch: boolean): string {
  switch (requestedForm) {
    case 'row':
      return as('Table');
    case 'metadata':
      return as(isWatch ? 'PartialObjectMetadata' : 'PartialObjectMetadataList');
    case 'object':
      return 'application/json';
    default:
      return requestedForm satisfies never;
  }
}

/** The member answered 429; `retryAfter` is in milliseconds. */
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

  /** Throws if the member does not list the resource. To be called before the list takes one of the few slots. */
  async tryList(requestedForm: RequestedForm, signal: AbortSignal): Promise<void> {
    const reply = await this.get(requestedForm, 'limit=1', headDeadline, signal);
    reply.body.cancel();
  }

  /** The columns of its Tables, and one row if there is any; no columns if it has no Tables. */
  async columns(signal: AbortSignal): Promise<PrintedColumns> {
    const { body } = await this.get('row', 'limit=1', headDeadline, signal);
    const timed = new TimedBody(body, { clock: this.options.clock, idleTimeout: headDeadline, signal });
    try {
      const printed: PrintedColumns = {};
      for await (const part of splitList(timed, body.memory)) {
        if (part.is === 'head') printed.columns = part.envelope.columnDefinitions;
        if (part.is === 'items') printed.row = part.items[0];
        if (!printed.columns || printed.row) break;
      }
      return printed;
    } finally {
      body.cancel();
    }
  }

  /** Without a limit, the whole list. Retries after 429, after the member's Retry-After. */
  async page(
    requestedForm: RequestedForm,
    limit: number | undefined,
    token: string,
    signal: AbortSignal,
  ): Promise<BytesReply> {
    const query = [limit && `limit=${limit}`, token && `continue=${encodeURIComponent(token)}`]
      .filter(Boolean)
      .join('&');
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.get(requestedForm, query, pageDeadline, signal);
      } catch (error) {
        if (!(error instanceof BusyMemberError) || attempt === mostBusyAnswers) throw error;
        await sleep(this.options.clock, error.retryAfter, signal);
      }
    }
  }

  watch(requestedForm: RequestedForm, position: string, signal: AbortSignal): Promise<BytesReply> {
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(position)}`;
    return this.get(requestedForm, query, headDeadline, signal, true);
  }

  /** Throws 504 if the member has not reached that version: it may have been restored from a backup (CACHE-5). */
  async reach(position: string, signal: AbortSignal): Promise<void> {
    const version = `resourceVersion=${encodeURIComponent(position)}&resourceVersionMatch=NotOlderThan`;
    // kube-apiserver waits for the version for some seconds before it answers 504.
    const reply = await this.get('metadata', `limit=1&${version}`, 2 * headDeadline, signal);
    reply.body.cancel();
  }

  private async get(
    requestedForm: RequestedForm,
    query: string,
    deadlineMs: number,
    signal: AbortSignal,
    isWatch = false,
  ): Promise<BytesReply> {
    const { upstream, path, clock } = this.options;
    const asked = [requestedForm === 'row' && 'includeObject=Object', query].filter(Boolean).join('&');
    // Covers the headers and an error body; the reader of a normal body has its own deadline.
    using deadline = deadlineOf(clock, deadlineMs, signal);
    const reply = await upstream.call({
      method: 'GET',
      path: `${path}${asked === '' ? '' : `?${asked}`}`,
      headers: {
        accept: acceptOf(requestedForm, isWatch),
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

/** In milliseconds. A date in `Retry-After` counts as one second; 0 is raised, to avoid a busy loop. */
function retryAfterOf({ headers }: BytesReply): number {
  const seconds = Number(headers['retry-after'] ?? 1);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds * 1000, 100), longestRetry) : 1000;
}
