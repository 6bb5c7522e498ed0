/** Lists a member's resource into a feed: in pages, item by item as they arrive, without buffering a page (CACHE-5). */

import type { Clock } from '@fleet/client/clock.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { type ListEnvelope, splitList } from '@fleet/kube/list-splitter.ts';
import { isOlder } from '@fleet/kube/version-order.ts';
import type { CommitOptions, FeedWriter, Relist } from '../feed-writer.ts';
import { type MemberRequests, pageSize, type RequestedForm } from './member-requests.ts';
import { TimedBody } from './timed-body.ts';

export interface ListRun {
  requests: MemberRequests;
  writer: FeedWriter;
  clock: Clock;
  requestedForm: RequestedForm;
  /** The member was restored from a backup. */
  wentBack: boolean;
  signal: AbortSignal;
  /** Called after each page. */
  progress(): void;
}

/** In milliseconds without a byte within a page. */
const silenceDeadline = 60_000;
/** How often the list may expire between pages (410) before it is requested whole. */
const mostExpired = 2;

/** The member compacted the version of the pages. */
class PagesExpiredError extends Error {
  override readonly name = 'PagesExpiredError';
}

/** Returns what the member sent: rows, or objects if it has no Tables. Nothing is served before the list is complete. */
export async function readList(run: ListRun): Promise<'row' | 'object'> {
  for (let expired = 0; expired < mostExpired; expired++) {
    try {
      return await new ListReader(run).read(pageSize);
    } catch (error) {
      if (!(error instanceof PagesExpiredError)) throw error;
    }
  }
  return new ListReader(run).read(undefined);
}

class ListReader {
  private readonly run: ListRun;
  private readonly pace = new Pace();
  private relist: Relist | undefined;
  private form: 'row' | 'object' | undefined;
  /** Of the first page: a watch from it misses no change of a later page. */
  private version: string | undefined;

  constructor(run: ListRun) {
    this.run = run;
  }

  async read(limit: number | undefined): Promise<'row' | 'object'> {
    const { writer, wentBack, progress } = this.run;
    try {
      let token = '';
      do {
        const { metadata } = await this.readPage(limit, token);
        this.version ??= metadata?.resourceVersion;
        if (!this.version) throw new JsonBytesError('a list without a version');
        if (metadata?.continue && metadata.continue === token)
          throw new JsonBytesError('a page that continues with itself');
        token = metadata?.continue ?? '';
        progress();
      } while (token !== '');
      // A restore may show only here: the watch got 410, as from any compaction, but the new list has an older version.
      const isBack = wentBack || (writer.position !== undefined && isOlder(this.version, writer.position));
      await this.commit(this.version, { wentBack: isBack });
      return this.form!;
    } finally {
      this.relist?.[Symbol.dispose]();
    }
  }

  private async commit(version: string, options: CommitOptions): Promise<void> {
    const relist = this.relist!;
    while (relist.prepare?.(version, options, () => this.pace.isDue)) {
      await this.pace.rest();
      this.run.signal.throwIfAborted();
    }
    relist.commit(version, options);
  }

  private async readPage(limit: number | undefined, token: string): Promise<ListEnvelope> {
    const { clock, signal } = this.run;
    const { body } = await this.ask(limit, token);
    const timed = new TimedBody(body, { clock, idleTimeout: silenceDeadline, signal });
    let end: ListEnvelope | undefined;
    let count = 0;
    for await (const part of splitList(timed, body.memory)) {
      switch (part.is) {
        case 'head':
          this.begin(part.envelope);
          break;
        case 'items':
          count += part.items.length;
          this.relist!.add(part.items);
          if (this.pace.isDue) await this.pace.rest();
          break;
        case 'end':
          end = part.envelope;
          break;
        default:
          part satisfies never;
      }
    }
    if (!end?.kind) throw new JsonBytesError('a list without a kind');
    // Without selectors every page but the last has items: an empty one could continue for ever.
    if (count === 0 && end.metadata?.continue) throw new JsonBytesError('an empty page that is not the last');
    return end;
  }

  private async ask(limit: number | undefined, token: string) {
    const { requests, requestedForm, signal } = this.run;
    try {
      return await requests.page(requestedForm, limit, token, signal);
    } catch (error) {
      if (token !== '' && isStatus(error, 410)) throw new PagesExpiredError('pages expired', { cause: error });
      throw error;
    }
  }

  private begin({ kind, columnDefinitions }: ListEnvelope): void {
    const form = kind === 'Table' ? 'row' : 'object';
    if (this.form !== undefined && this.form !== form) throw new JsonBytesError('pages of two forms in one list');
    if (this.form === undefined) {
      if (columnDefinitions) this.run.writer.columns(columnDefinitions);
      this.relist = this.run.writer.relist(form);
    }
    this.form = form;
  }
}
