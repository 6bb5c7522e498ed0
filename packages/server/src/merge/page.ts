/** Assembles one page over many clusters: takes items until it is full, and computes the position of the next page (PAGE-1). */

import type { Items, ListEnvelope } from '@fleet/kube/list-splitter.ts';
import type { ClusterName } from '../target/target.ts';
import type { ClusterLeft } from './page-token.ts';
import type { SourceList } from './source.ts';

/** One cluster's part of a page. */
export interface PagePart {
  cluster: ClusterName;
  /** Its beginning: the member's own continue token; undefined: the start of its list. */
  from: string | undefined;
  /** Its request was sent already. */
  opened: { list: SourceList; limit: number } | undefined;
  /** How many items there are from its beginning on, if known from an earlier page. */
  items: number | undefined;
  /** Set if the page is certainly full before it: the number of its items; undefined if unknown. */
  counted?: Promise<number | undefined>;
}

/** Reads more of a member, always at the version that the page has of it. */
export interface PageReader {
  open(part: PagePart, from: string | undefined, limit: number): Promise<SourceList>;
  /** The member's continue token after the first `count` items. Undefined if the member does not support pages. */
  tokenBehind(part: PagePart, from: string | undefined, count: number): Promise<string | undefined>;
  /** Whether there is an item at the member's continue token. */
  leadsToSomething(part: PagePart, token: string): Promise<boolean>;
}

export interface PageRest {
  left: ClusterLeft[];
  own: string | undefined;
}

export class Page {
  private capacity: number;
  private readonly reader: PageReader;
  private readonly left: ClusterLeft[] = [];
  /** The position at which the page ended within a cluster. */
  private seam: { part: PagePart; own: string; items: number | undefined } | undefined;

  constructor(limit: number, reader: PageReader) {
    this.capacity = limit;
    this.reader = reader;
  }

  /** Read part after part, each to its end. */
  async *itemsOf(part: PagePart): AsyncGenerator<Items, void, undefined> {
    if (this.capacity <= 0) {
      const items = await itemsIn(part);
      if (items !== 0) this.left.push({ cluster: part.cluster, items });
      return;
    }
    let from = part.from;
    let list = part.opened?.list ?? (await this.reader.open(part, from, this.capacity));
    for (;;) {
      const began = this.capacity;
      let beyond = 0;
      let own: string | undefined;
      // A list that ends with its version: only now is it known at which version to read more.
      const isEarly = list.head.metadata?.resourceVersion !== undefined;
      for await (const items of list.items) {
        // Not copied if all fit: only whole batches free the memory that they were cut from.
        const fitting = items.length <= this.capacity ? items : items.slice(0, this.capacity);
        this.capacity -= fitting.length;
        if (fitting.length > 0) yield fitting;
        const surplus = items.slice(fitting.length);
        if (surplus.length === 0) continue;
        if (beyond === 0 && isEarly) own = await this.reader.tokenBehind(part, from, began - this.capacity);
        beyond += surplus.length;
        // Counted, not kept, as there may be very many. A member without pages returns all items at once, in both cases.
        if (isEarly && own === undefined) yield surplus;
      }
      const { continue: more, remainingItemCount } = list.end().metadata ?? {};
      if (beyond > 0) {
        if (!isEarly) own = await this.reader.tokenBehind(part, from, began - this.capacity);
        if (!isEarly && own === undefined) yield* this.itemsBehind(part, from, began - this.capacity);
        const items = more ? plus(beyond, remainingItemCount) : beyond;
        if (own !== undefined) this.seam = { part, own, items };
        return;
      }
      if (!more) return;
      if (this.capacity <= 0) {
        this.seam = { part, own: more, items: remainingItemCount };
        return;
      }
      from = more;
      list = await this.reader.open(part, from, this.capacity);
    }
  }

  /** For a member that turns out not to support pages after its items were read. */
  private async *itemsBehind(
    part: PagePart,
    from: string | undefined,
    count: number,
  ): AsyncGenerator<Items, void, undefined> {
    const { items } = await this.reader.open(part, from, Number.POSITIVE_INFINITY);
    let skipped = 0;
    for await (const some of items) {
      const needed = some.slice(Math.max(count - skipped, 0));
      skipped += some.length;
      if (needed.length > 0) yield needed;
    }
  }

  /** The position of the next page; undefined if this is the last. Called after all items. */
  async rest(): Promise<PageRest> {
    if (!this.seam) return { left: this.left, own: undefined };
    const { part, own, items } = this.seam;
    // With selectors a member may return a token although no further item matches. No page may turn out empty.
    if (items === undefined && this.left.length === 0 && !(await this.reader.leadsToSomething(part, own))) {
      return { left: [], own: undefined };
    }
    return { left: [{ cluster: part.cluster, items }, ...this.left], own };
  }
}

const plus = (a: number, b: number | undefined): number | undefined => (b === undefined ? undefined : a + b);

async function itemsIn({ opened, items, counted }: PagePart): Promise<number | undefined> {
  if (counted) return counted;
  return opened ? countItems(opened.list, opened.limit) : items;
}

/** How many items a member has, of which `limit` were requested; undefined if it does not report that. */
export async function countItems(list: SourceList, limit: number): Promise<number | undefined> {
  // A page that has a next one is full, so it need not be read.
  const counted = total(limit, list.head);
  if (counted) return counted.items;
  let read = 0;
  for await (const items of list.items) read += items.length;
  const end = total(read, list.end());
  return end ? end.items : read;
}

function total(onPage: number, { metadata }: ListEnvelope): { items: number | undefined } | undefined {
  return metadata?.continue ? { items: plus(onPage, metadata.remainingItemCount) } : undefined;
}
