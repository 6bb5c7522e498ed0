/**
 * Encodings shared by the watches of different users: events of one batch in one form, and maps of the same positions. Each is
 * computed once. Only bytes are shared: each watch has got the batch from its own source.
 */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import type { SourceEvent } from '../merge/source.ts';
import type { VersionMap } from '../present/versions.ts';
import type { EventBatch } from './event.ts';

/** Layouts of Tables, one object each. A layout that is evicted is made again. */
const mostLayouts = 500;
/** Bookmarks: shared watches send them one after the other, and most have the positions of the previous one. */
const lastBookmarks = 8;

interface AtPositions<T> {
  positions: VersionMap;
  made: T;
}

type ByLayout = Map<readonly ColumnDefinition[] | undefined, EventBatch>;

export class Encodings {
  /** As long as the batch is being sent. */
  private readonly batches = new WeakMap<readonly SourceEvent[], Map<string, ByLayout>>();
  private readonly versioned = new WeakMap<EventBatch, AtPositions<EventBatch>[]>();
  private readonly layouts = new Map<string, readonly ColumnDefinition[]>();
  private bookmarks: (AtPositions<Buffer> & { key: string })[] = [];

  /** `key`: everything that the bytes depend on besides the events and, in a Table, its layout. */
  batch(
    events: readonly SourceEvent[],
    key: string,
    layout: readonly ColumnDefinition[] | undefined,
    make: () => EventBatch,
  ): EventBatch {
    const forms = this.batches.get(events) ?? new Map<string, ByLayout>();
    this.batches.set(events, forms);
    const layouts: ByLayout = forms.get(key) ?? new Map();
    forms.set(key, layouts);
    const known = layouts.get(layout) ?? make();
    layouts.set(layout, known);
    return known;
  }

  /** The events with the map of what their stream has sent (RV-4). */
  withVersions(batch: EventBatch, positions: VersionMap, make: () => EventBatch): EventBatch {
    const made = this.versioned.get(batch) ?? [];
    this.versioned.set(batch, made);
    return at(made, positions, make);
  }

  bookmark(key: string, positions: VersionMap, make: () => Buffer): Buffer {
    const known = this.bookmarks.find((one) => one.key === key && isSame(one.positions, positions));
    if (known) return known.made;
    const made = make();
    this.bookmarks = [{ key, positions, made }, ...this.bookmarks.slice(0, lastBookmarks - 1)];
    return made;
  }

  /** The same object for equal columns. */
  layout(columns: readonly ColumnDefinition[]): readonly ColumnDefinition[] {
    const text = JSON.stringify(columns);
    const known = this.layouts.get(text) ?? columns;
    this.layouts.delete(text);
    this.layouts.set(text, known);
    if (this.layouts.size > mostLayouts) this.layouts.delete(this.layouts.keys().next().value!);
    return known;
  }
}

function at<T>(made: AtPositions<T>[], positions: VersionMap, make: () => T): T {
  const known = made.find((one) => isSame(one.positions, positions));
  if (known) return known.made;
  const one = { positions, made: make() };
  made.push(one);
  return one.made;
}

const isSame = (one: VersionMap, other: VersionMap): boolean =>
  one.size === other.size && one.entries().every(([cluster, position]) => other.get(cluster) === position);
