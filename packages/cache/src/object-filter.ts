/** A client's selectors, read once, and evaluated once for each label set and field tuple. */

import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { type FieldTerm, readFieldTerms } from '@fleet/kube/selectors/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '@fleet/kube/selectors/label-selector.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { SelectableField } from './field-paths.ts';
import { FieldValues } from './field-values.ts';
import type { Memo } from './interned.ts';
import type { Selection, Unanswerable } from './messages.ts';
import type { StoredObjects } from './stored-objects.ts';

/** What of a key a selector looks at. */
type KeyTerm = { of: 'name' | 'namespace'; value: Buffer; equal: boolean };
/** `at`: which value of the tuple it looks at. */
type ValueTerm = { at: number; value: string; equal: boolean };

/** What the objects of a feed can be selected by. */
export interface SelectableFields {
  fields: readonly SelectableField[];
  byNamespace: boolean;
}

/** So many bytes of an object are walked in the time that a look at its labels takes. */
const bytesPerCost = 256;

const yes = 1;
const no = 2;

export class ObjectFilter implements Disposable {
  private readonly objects: StoredObjects;
  private readonly labels: LabelSelector | undefined;
  private readonly keyTerms: readonly KeyTerm[];
  private readonly indexedTerms: readonly ValueTerm[];
  private readonly uniqueTerms: readonly ValueTerm[];
  private readonly uniqueValues: FieldValues;
  private readonly labelMemo: Memo;
  private readonly tupleMemo: Memo;

  private constructor(objects: StoredObjects, labels: LabelSelector | undefined, terms: SortedTerms) {
    this.objects = objects;
    this.labels = labels;
    this.keyTerms = terms.ofKey;
    this.indexedTerms = terms.indexed;
    this.uniqueTerms = terms.unique;
    this.uniqueValues = new FieldValues(terms.uniqueFields);
    this.labelMemo = objects.labels.memo();
    this.tupleMemo = objects.tuples.memo();
  }

  /** Undefined selects everything. */
  static of(
    objects: StoredObjects,
    { fields, byNamespace }: SelectableFields,
    { labelSelector = '', fieldSelector = '' }: Selection,
  ): ObjectFilter | Unanswerable | undefined {
    try {
      const labels = parseLabelSelector(labelSelector);
      const terms = readFieldTerms(fieldSelector);
      if (!labels && terms.length === 0) return undefined;
      const isKnown = ({ field }: FieldTerm) =>
        isKeyField(field, byNamespace) || fields.some(({ name }) => name === field);
      const unknown = terms.find((term) => !isKnown(term));
      if (unknown) return { is: 'unknown-field', reason: unknown.field };
      return new ObjectFilter(objects, labels, sortTerms(terms, fields));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { is: 'invalid-selector', reason: error.message };
    }
  }

  /** The name that alone can match, if there is one. */
  get onlyName(): string | undefined {
    return this.keyTerms.find(({ of, equal }) => of === 'name' && equal)?.value.toString();
  }

  /** How much work it is to look at a record, where one whose labels alone are looked at counts as one. */
  costOf(id: number): number {
    return this.uniqueTerms.length === 0 ? 1 : 1 + this.objects.get(id, 'objectLength') / bytesPerCost;
  }

  matches(id: number): boolean {
    return (
      this.hasLabels(id) &&
      this.hasTuple(id) &&
      this.keyTerms.every((term) => this.hasKey(id, term)) &&
      (this.uniqueTerms.length === 0 || this.hasUnique(id))
    );
  }

  [Symbol.dispose](): void {
    this.objects.labels.forget(this.labelMemo);
    this.objects.tuples.forget(this.tupleMemo);
  }

  private hasLabels(id: number): boolean {
    const { labels, objects } = this;
    if (!labels) return true;
    return remembered(this.labelMemo, objects.get(id, 'labels'), (set) => labels(objects.labels.valueOf(set)));
  }

  private hasTuple(id: number): boolean {
    if (this.indexedTerms.length === 0) return true;
    const { objects } = this;
    return remembered(this.tupleMemo, objects.get(id, 'fields'), (tuple) => {
      const values = objects.tuples.valueOf(tuple);
      return this.indexedTerms.every(({ at, value, equal }) => (values[at] === value) === equal);
    });
  }

  private hasKey(id: number, { of, value, equal }: KeyTerm): boolean {
    const { objects } = this;
    const start = objects.get(id, 'offset');
    const namespace = objects.get(id, 'namespaceLength');
    const [from, to] =
      of === 'namespace' ? [0, namespace] : [namespace === 0 ? 0 : namespace + 1, objects.get(id, 'keyLength')];
    const isSame =
      to - from === value.length &&
      objects.segmentOf(id).compare(value, 0, value.length, start + from, start + to) === 0;
    return isSame === equal;
  }

  private hasUnique(id: number): boolean {
    const found = this.uniqueValues.of(this.objects.object(id));
    return this.uniqueTerms.every(({ at, value, equal }) => (found[at] === value) === equal);
  }
}

function remembered(memo: Memo, id: number, decide: (id: number) => boolean): boolean {
  const known = memo.of(id);
  if (known !== 0) return known === yes;
  const decided = decide(id);
  memo.set(id, decided ? yes : no);
  return decided;
}

const isKeyField = (field: string, byNamespace = true): boolean =>
  field === 'metadata.name' || (byNamespace && field === 'metadata.namespace');

interface SortedTerms {
  ofKey: KeyTerm[];
  indexed: ValueTerm[];
  unique: ValueTerm[];
  uniqueFields: SelectableField[];
}

function sortTerms(terms: readonly FieldTerm[], fields: readonly SelectableField[]): SortedTerms {
  const indexedFields = fields.filter(({ isUnique }) => !isUnique);
  const uniqueFields = fields.filter(({ name, isUnique }) => isUnique && terms.some(({ field }) => field === name));
  const sorted: SortedTerms = { ofKey: [], indexed: [], unique: [], uniqueFields };
  for (const { field, value, equal } of terms) {
    if (isKeyField(field)) {
      sorted.ofKey.push({ of: field === 'metadata.name' ? 'name' : 'namespace', value: Buffer.from(value), equal });
      continue;
    }
    const at = indexedFields.findIndex(({ name }) => name === field);
    if (at >= 0) sorted.indexed.push({ at, value, equal });
    else sorted.unique.push({ at: uniqueFields.findIndex(({ name }) => name === field), value, equal });
  }
  return sorted;
}

/** The values that are indexed, of all that were read. */
export function indexedValues(fields: readonly SelectableField[], values: readonly string[]): string[] {
  if (values.length !== fields.length) throw new JsonBytesError('fields of another kind');
  return values.filter((_, index) => !fields[index]!.isUnique);
}
