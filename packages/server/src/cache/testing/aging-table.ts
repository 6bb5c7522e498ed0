/** A cached Table beside the one that kube-apiserver prints, while the clock moves. */

import { tableHead, tableRow } from '@fleet/apiserver/http/table.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import type { PrintedKind } from '@fleet/apiserver/registry/printed-kind.ts';
import type { FeedWriter } from '@fleet/cache/feed-writer.ts';
import type { FeedSpec } from '@fleet/cache/messages.ts';
import { MemoryShard } from '@fleet/cache/shard.ts';
import { expect } from 'vitest';

export const start = Date.parse('2026-03-01T12:00:00.400Z');
export const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
/** At which the rows are read again. */
export const ages = [0, 1.5 * second, 100 * second, 9 * minute, 3 * hour, 3 * day, 400 * day, 3_000 * day];

export const ago = (milliseconds: number): string =>
  new Date(start - milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
export const microAgo = (milliseconds: number): string =>
  new Date(start - milliseconds).toISOString().replace('Z', '456Z');

export const metadata = (name: string, created: number) => ({
  name,
  namespace: 'd',
  uid: `u-${name}`,
  creationTimestamp: ago(created),
});

const options = (printed: PrintedKind, now: number) => ({ printed, now, include: 'Object' as const, version: 'v1' });
/** Its columns and one row each, as a member sends them at a moment. */
export const printedTable = (printed: PrintedKind, objects: readonly KubeObject[], now: number) => ({
  columns: tableHead({}, options(printed, now), true).columnDefinitions!,
  rows: objects.map((object) => tableRow(object, options(printed, now))),
});

export const feedOf = ({ group, version, resource, kind, listKind }: PrintedKind): FeedSpec => ({
  id: 'x',
  cluster: 'm1',
  group,
  version,
  resource,
  kind,
  namespaced: true,
  typeMetaInLists: listKind !== undefined,
});

/** A cache that was filled at the start. */
export class AgingTable implements AsyncDisposable {
  now = start;
  readonly shard = new MemoryShard({ limit: 1e8, segmentSize: 1e6, now: () => this.now, clock: () => 0 });
  readonly printed: PrintedKind;

  static async of(printed: PrintedKind, objects: readonly KubeObject[]): Promise<AgingTable> {
    const scene = new AgingTable(printed);
    await scene.shard.want({ feeds: [feedOf(printed)] });
    scene.list(objects);
    return scene;
  }

  private constructor(printed: PrintedKind) {
    this.printed = printed;
  }

  get writer(): FeedWriter {
    return this.shard.writer('x')!;
  }

  list(objects: readonly KubeObject[]): void {
    const { columns, rows } = printedTable(this.printed, objects, this.now);
    this.writer.columns(columns);
    using relist = this.writer.relist('row');
    relist.add(rows.map((row) => Buffer.from(JSON.stringify(row))));
    relist.commit('10');
  }

  apply(object: KubeObject, position: string): void {
    const [row] = printedTable(this.printed, [object], this.now).rows;
    this.writer.apply([{ type: 'MODIFIED', item: Buffer.from(JSON.stringify(row)) }], position);
  }

  async read() {
    const form = { as: 'Table', includeObject: 'Object' } as const;
    const answer = await this.shard.read({ feed: 'x', at: 'now', form, bytes: 1e7 });
    return answer.is === 'page' ? itemsOf(answer) : answer.is;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shard[Symbol.asyncDispose]();
  }
}

export function itemsOf({ chunk, ends }: { chunk: Uint8Array; ends: Uint32Array }): unknown[] {
  const text = Buffer.from(chunk);
  return [...ends].map((end, index) => JSON.parse(text.toString('utf8', ends[index - 1] ?? 0, end)) as unknown);
}

export async function expectSame(printed: PrintedKind, objects: readonly KubeObject[]): Promise<void> {
  await using scene = await AgingTable.of(printed, objects);
  for (const age of ages) {
    scene.now = start + age;
    expect(await scene.read()).toEqual(printedTable(printed, objects, scene.now).rows);
  }
}
