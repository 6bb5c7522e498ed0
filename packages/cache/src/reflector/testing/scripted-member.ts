/** A member in the test's own process: one resource with a history, listed in pages and watched, as kube-apiserver does it. */

import { bodyOf, ReplyBody } from '@fleet/client/reply-body.ts';
import type { BytesReply, Headers, UpgradeReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { expired, StatusError } from '@fleet/kube/status.ts';

interface KeptObject {
  name: string;
  version: number;
  uid: string;
}

interface KeptEvent {
  type: string;
  object: KeptObject;
}

interface Stream {
  body: ReplyBody;
  isTable: boolean;
  isFirst: boolean;
}

export const columns = [{ name: 'Name', type: 'string', format: 'name', description: 'n', priority: 0 }];

export const replyOf = (status: number, value: unknown, headers: Headers = {}): BytesReply => ({
  status,
  headers,
  body: bodyOf(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))),
});

export const statusReply = (code: number, reason: string, headers: Headers = {}, causes?: { reason: string }[]) =>
  replyOf(code, new StatusError(code, reason, `${reason} of a test`, causes && { causes }).toStatus(), headers);

export const tooLarge = () => statusReply(504, 'Timeout', {}, [{ reason: 'ResourceVersionTooLarge' }]);

/** An answer that never comes; the caller's signal ends the wait, as it does with a real connection. */
export const silence = ({ signal }: UpstreamCall): Promise<BytesReply> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

export const openBody = (): ReplyBody => new ReplyBody({ pause() {}, resume() {}, abort() {} });

const objectText = ({ name, version, uid }: KeptObject) => ({
  metadata: { name, namespace: 'web', uid, resourceVersion: String(version) },
});

export class ScriptedMember implements Upstream {
  readonly calls: string[] = [];
  /** Replaces answers; undefined leaves them unchanged. */
  instead: ((call: UpstreamCall, query: URLSearchParams) => BytesReply | Promise<BytesReply> | undefined) | undefined;
  hasTables = true;
  columns = columns;
  version: number;
  private objects = new Map<string, KeptObject>();
  private events: KeptEvent[] = [];
  /** Earlier versions are compacted. */
  private floor = 0;
  private uids = 0;
  private readonly streams = new Set<Stream>();

  constructor(version: number, names: readonly string[] = []) {
    this.version = version;
    for (const name of names) this.objects.set(name, { name, version, uid: `u${++this.uids}` });
  }

  get watches(): number {
    return this.streams.size;
  }

  /** How many requests contain this text. Parameters that all requests have are left out. */
  count(part: string): number {
    return this.calls.filter((call) => call.includes(part)).length;
  }

  get lastWatch(): string | undefined {
    return this.calls.findLast((call) => call.startsWith('watch=true'));
  }

  put(...names: string[]): void {
    for (const name of names) {
      const known = this.objects.get(name);
      const object = { name, version: ++this.version, uid: known?.uid ?? `u${++this.uids}` };
      this.objects.set(name, object);
      this.send({ type: known ? 'MODIFIED' : 'ADDED', object });
    }
  }

  delete(name: string): void {
    const object = { ...this.objects.get(name)!, version: ++this.version };
    this.objects.delete(name);
    this.send({ type: 'DELETED', object });
  }

  /** Another resource was written in the member: only the version moves. */
  bookmark(): void {
    this.version++;
    for (const stream of this.streams) this.write(stream, { type: 'BOOKMARK', object: this.marker() });
  }

  /** Compacts the history up to the newest version. */
  compact(): void {
    this.floor = this.version;
    this.events = [];
  }

  /** Restores an earlier state, as from a backup. All connections are closed. */
  restore(version: number, names: readonly string[]): void {
    this.breakStreams();
    this.version = version;
    this.floor = 0;
    this.events = [];
    this.objects = new Map(names.map((name) => [name, { name, version, uid: `restored-${name}` }]));
  }

  breakStreams(error = new Error('connection lost')): void {
    for (const { body } of this.streams) body.fail(error);
    this.streams.clear();
  }

  endStreams(): void {
    for (const { body } of this.streams) body.end();
    this.streams.clear();
  }

  /** Writes a line to all open watches, such as an invalid event. */
  writeLine(text: string): void {
    for (const { body } of this.streams) body.push(Buffer.from(`${text}\n`));
  }

  async call(call: UpstreamCall): Promise<BytesReply> {
    call.signal.throwIfAborted();
    const [, text = ''] = call.path.split('?');
    const query = new URLSearchParams(text);
    query.delete('includeObject');
    query.delete('allowWatchBookmarks');
    this.calls.push(`${String(query)} ${call.headers['accept']?.includes('as=Table') ? 'Table' : 'plain'}`);
    const instead = this.instead?.(call, query);
    if (instead) return instead;
    const isTable = this.hasTables && (call.headers['accept']?.includes('as=Table') ?? false);
    try {
      return query.get('watch') ? this.watch(query, isTable, call.signal) : this.list(query, isTable);
    } catch (error) {
      if (error instanceof StatusError) return replyOf(error.code, error.toStatus());
      throw error;
    }
  }

  upgrade(): Promise<UpgradeReply> {
    throw new Error('no upgrade was expected');
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  private marker(): KeptObject {
    return { name: '', version: this.version, uid: '' };
  }

  private list(query: URLSearchParams, isTable: boolean): BytesReply {
    const atLeast = Number(query.get('resourceVersion') ?? 0);
    if (atLeast > this.version) return tooLarge();
    const [version, start] = (query.get('continue') ?? `${this.version} `).split(' ') as [string, string];
    if (Number(version) < this.floor) throw expired('the pages are gone');
    const following = [...this.objects.values()]
      .filter(({ name }) => name >= start)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const page = following.slice(0, Number(query.get('limit') ?? following.length));
    const next = following[page.length];
    const metadata = { resourceVersion: version, ...(next ? { continue: `${version} ${next.name}` } : {}) };
    const items = page.map(objectText);
    return replyOf(
      200,
      isTable ? tableOf(items, metadata, this.columns) : { kind: 'ThingList', apiVersion: 'v1', metadata, items },
    );
  }

  private watch(query: URLSearchParams, isTable: boolean, signal: AbortSignal): BytesReply {
    const from = Number(query.get('resourceVersion'));
    if (from < this.floor) throw expired('too old resource version');
    const stream: Stream = { body: openBody(), isTable, isFirst: true };
    this.streams.add(stream);
    stream.body.whenClosed(() => this.streams.delete(stream));
    signal.addEventListener('abort', () => stream.body.fail(signal.reason));
    for (const event of this.events) if (event.object.version > from) this.write(stream, event);
    return { status: 200, headers: {}, body: stream.body };
  }

  private send(event: KeptEvent): void {
    this.events.push(event);
    for (const stream of this.streams) this.write(stream, event);
  }

  private write(stream: Stream, { type, object }: KeptEvent): void {
    const shown = objectText(object);
    const { resourceVersion } = shown.metadata;
    const table = tableOf([shown], { resourceVersion }, stream.isFirst ? this.columns : null);
    stream.isFirst = false;
    stream.body.push(Buffer.from(`${JSON.stringify({ type, object: stream.isTable ? table : shown })}\n`));
  }
}

const tableOf = (items: { metadata: { name: string } }[], metadata: object, columnDefinitions: unknown) => ({
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata,
  columnDefinitions,
  rows: items.map((object) => ({ cells: [object.metadata.name], object })),
});
