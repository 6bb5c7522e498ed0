/** The selectors that were used last, with what is known of them: each page and each batch of events asks with the same again. */

import { fieldsOf, selectsByNamespace } from './field-paths.ts';
import type { FeedSpec, Selection, Unanswerable } from './messages.ts';
import { ObjectFilter } from './object-filter.ts';
import type { StoredObjects } from './stored-objects.ts';

const mostKept = 64;
/** Longer selectors are read each time. */
const longestKept = 4096;

export class ObjectFilters {
  private readonly objects: StoredObjects;
  private readonly kept = new Map<string, ObjectFilter>();

  constructor(objects: StoredObjects) {
    this.objects = objects;
  }

  /** Undefined selects everything. */
  of(spec: FeedSpec, selection: Selection): ObjectFilter | Unanswerable | undefined {
    const { labelSelector = '', fieldSelector = '' } = selection;
    if (labelSelector === '' && fieldSelector === '') return undefined;
    const { group, resource, namespaced, selectableFields } = spec;
    const key = JSON.stringify([labelSelector, fieldSelector, group, resource, namespaced, selectableFields]);
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known;
    }
    const selectable = { fields: fieldsOf(spec), byNamespace: selectsByNamespace(spec) };
    const filter = ObjectFilter.of(this.objects, selectable, selection);
    if (filter instanceof ObjectFilter) this.keep(key, filter);
    return filter;
  }

  private keep(key: string, filter: ObjectFilter): void {
    if (key.length > longestKept) {
      filter[Symbol.dispose]();
      return;
    }
    this.kept.set(key, filter);
    const [oldest] = this.kept;
    if (this.kept.size <= mostKept || !oldest) return;
    oldest[1][Symbol.dispose]();
    this.kept.delete(oldest[0]);
  }
}
