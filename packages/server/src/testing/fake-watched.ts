/** One resource of a member that the test changes: lists, watches with history, and faults. */

import { ReplyBody } from '@fleet/client/reply-body.ts';
import { expired } from '@fleet/kube/status.ts';
import { watchBatches } from '@fleet/kube/watch-lines.ts';
import { liveEvents } from '../merge/live-events.ts';
import { pageQuery } from '../merge/page-query.ts';
import type { ListAnswer, ListAsk, NoList, Permission, Source, WatchAnswer, WatchAsk } from '../merge/source.ts';
import { listOf } from './fake-source.ts';

interface Stored {
  metadata: { name: string; uid: string; resourceVersion: string };
}

export class FakeWatched implements Source {
  readonly cluster: string;
  readonly asked: string[] = [];
  version: number;
  /** Replaces every answer while it is set. */
  instead: NoList | undefined;
  /** Answers access reviews for watches instead. */
  permission: (() => Promise<Permission>) | undefined;
  /** Breaks the next list off after this many bytes. */
  cutListAt: number | undefined;
  private readonly objects = new Map<string, Stored>();
  private history: { version: number; line: string }[] = [];
  private compacted = 0;
  private readonly open = new Set<ReplyBody>();

  constructor(cluster: string, version: number, names: readonly string[] = []) {
    this.cluster = cluster;
    this.version = version;
    for (const name of names) this.objects.set(name, this.stored(name));
    this.compacted = version;
  }

  get watches(): number {
    return this.open.size;
  }

  put(name: string): void {
    const type = this.objects.has(name) ? 'MODIFIED' : 'ADDED';
    this.version++;
    const stored = this.stored(name);
    this.objects.set(name, stored);
    this.happened(type, stored);
  }

  remove(name: string): void {
    this.version++;
    this.objects.delete(name);
    this.happened('DELETED', this.stored(name));
  }

  /** Other resources have changed. */
  bookmark(version = ++this.version): void {
    this.write(
      `${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: String(version) } } })}\n`,
    );
  }

  /** Ends every open stream. Later ones resume from their versions. */
  cut(): void {
    for (const body of this.open) body.fail(new Error('connection reset'));
    this.open.clear();
  }

  compact(): void {
    this.history = [];
    this.compacted = this.version;
  }

  async list({ query, signal }: ListAsk): Promise<ListAnswer> {
    this.asked.push(`list ${pageQuery(query, 500)}`);
    signal.throwIfAborted();
    if (this.instead) return this.instead;
    const items = [...this.objects.values()];
    const cutAt = this.cutListAt;
    this.cutListAt = undefined;
    const metadata = { resourceVersion: String(this.version) };
    const text = JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items });
    return listOf(cutAt === undefined ? { text } : { text, cutAt });
  }

  async watch({ from, signal }: WatchAsk): Promise<WatchAnswer> {
    this.asked.push(`watch ${from}`);
    if (this.instead) return this.instead;
    if (Number(from) < this.compacted) return { is: 'expired', error: expired('too old') };
    const body = new ReplyBody({ pause() {}, resume() {}, abort: () => this.open.delete(body) });
    // As in HttpsUpstream: bytes that arrived before the call was aborted can still be read.
    const onAbort = () => {
      this.open.delete(body);
      body.fail(new Error('aborted'));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    for (const { version, line } of this.history) if (version > Number(from)) body.push(Buffer.from(line));
    this.open.add(body);
    return { is: 'open', batches: liveEvents(watchBatches(body), from) };
  }

  async hasLost(_version: string): Promise<boolean> {
    return false;
  }

  async canWatch({ from }: WatchAsk): Promise<Permission> {
    this.asked.push(`may watch ${from}`);
    return this.permission ? await this.permission() : (this.instead ?? { is: 'allowed' });
  }

  private stored = (name: string): Stored => ({
    metadata: { name, uid: `${this.cluster}-${name}`, resourceVersion: String(this.version) },
  });

  private happened(type: string, object: Stored): void {
    const line = `${JSON.stringify({ type, object: { kind: 'Pod', apiVersion: 'v1', ...object } })}\n`;
    this.history.push({ version: this.version, line });
    this.write(line);
  }

  private write(line: string): void {
    for (const body of this.open) body.push(Buffer.from(line));
  }
}
