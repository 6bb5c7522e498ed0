/** The filters of recently used selectors: each page and each batch of events repeats its selectors. */

import { fieldsOf, selectsByNamespace } from './field-paths.ts';
import type { FeedSpec, Selection, Unanswerable } from './messages.ts';
import { ObjectFilter } from './object-filter.ts';
import type { StoredObjects } from './stored-objects.ts';

/** In characters of the keys, for all filters together: some 2,500 short selectors. */
const mostKept = 256 * 1024;
/** In characters. Longer selectors are parsed each time. */
const longestKept = mostKept / 16;
/** In characters: each filter counts as so many more, as those of short selectors take memory, too. */
const filterOverhead = 64;
/** Results take a byte for each label set of the shard. */
const mostMemoised = 64;

const sizeOf = (key: string): number => filterOverhead + key.length;

export class ObjectFilters {
  private readonly objects: StoredObjects;
  /** The least recently used first, as in `memoised`. */
  private readonly kept = new Map<string, ObjectFilter>();
  private size = 0;
  private readonly memoised = new Set<ObjectFilter>();

  constructor(objects: StoredObjects) {
    this.objects = objects;
  }

  /**
   * Undefined selects everything. A page checks thousands of objects, so its results are kept. A batch of events checks few: with many
   * watches, keeping their results would cost far more than checking again.
   */
  of(spec: FeedSpec, selection: Selection, use: 'page' | 'events'): ObjectFilter | Unanswerable | undefined {
    const { labelSelector = '', fieldSelector = '' } = selection;
    if (labelSelector === '' && fieldSelector === '') return undefined;
    const { group, resource, namespaced, selectableFields } = spec;
    const key = JSON.stringify([labelSelector, fieldSelector, group, resource, namespaced, selectableFields]);
    const filter = this.kept.get(key) ?? this.parsed(spec, selection);
    if (!(filter instanceof ObjectFilter) || key.length > longestKept) return filter;
    this.keep(key, filter);
    if (use === 'page') this.memoise(filter);
    return filter;
  }

  private parsed(spec: FeedSpec, selection: Selection): ObjectFilter | Unanswerable | undefined {
    const selectable = { fields: fieldsOf(spec), byNamespace: selectsByNamespace(spec) };
    return ObjectFilter.of(this.objects, selectable, selection);
  }

  private keep(key: string, filter: ObjectFilter): void {
    if (!this.kept.delete(key)) this.size += sizeOf(key);
    this.kept.set(key, filter);
    for (const [oldest, dropped] of this.kept) {
      if (this.size <= mostKept) return;
      this.kept.delete(oldest);
      this.size -= sizeOf(oldest);
      this.forget(dropped);
    }
  }

  private memoise(filter: ObjectFilter): void {
    this.memoised.delete(filter);
    this.memoised.add(filter);
    filter.memoise();
    const [oldest] = this.memoised;
    if (oldest && this.memoised.size > mostMemoised) this.forget(oldest);
  }

  private forget(filter: ObjectFilter): void {
    this.memoised.delete(filter);
    filter.forget();
  }
}
