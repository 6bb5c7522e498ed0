/** A client's label and field selectors, parsed once. With `memoise`, they are evaluated once per label set and field tuple, not per object. */

import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { type FieldTerm, readFieldTerms } from '@fleet/kube/selectors/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '@fleet/kube/selectors/label-selector.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { SelectableField } from './field-paths.ts';
import { FieldValues } from './field-values.ts';
import type { Memo } from './interned.ts';
import type { Selection, Unanswerable } from './messages.ts';
import type { StoredObjects } from './stored-objects.ts';
import { costOfBytes } from './time-slice.ts';

/** A term on metadata.name or metadata.namespace, which are in the key. */
type KeyTerm = { of: 'name' | 'namespace'; value: Buffer; equal: boolean };
/** A term on another field. `at`: the index of its value in the tuple. */
type ValueTerm = { at: number; value: string; equal: boolean };

/** The fields that the objects of a feed can be selected by. */
export interface SelectableFields {
  fields: readonly SelectableField[];
  byNamespace: boolean;
}

/** Checking this many characters of selectors costs as much as checking labels by a short one. */
const charactersPerCost = 128;

const yes = 1;
const no = 2;

export class ObjectFilter {
  private readonly objects: StoredObjects;
  private readonly labels: LabelSelector | undefined;
  private readonly keyTerms: readonly KeyTerm[];
  private readonly indexedTerms: readonly ValueTerm[];
  private readonly uniqueTerms: readonly ValueTerm[];
  private readonly uniqueValues: FieldValues;
  private readonly checkCost: number;
  private labelMemo: Memo | undefined;
  private tupleMemo: Memo | undefined;

  private constructor(
    objects: StoredObjects,
    labels: LabelSelector | undefined,
    terms: SortedTerms,
    checkCost: number,
  ) {
    this.objects = objects;
    this.checkCost = checkCost;
    this.labels = labels;
    this.keyTerms = terms.ofKey;
    this.indexedTerms = terms.indexed;
    this.uniqueTerms = terms.unique;
    this.uniqueValues = new FieldValues(terms.uniqueFields);
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
      const checkCost = 1 + (labelSelector.length + fieldSelector.length) / charactersPerCost;
      return new ObjectFilter(objects, labels, sortTerms(terms, fields), checkCost);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { is: 'invalid-selector', reason: error.message };
    }
  }

  /** The only name that can match, if a term requires one: reads then need no search. */
  get onlyName(): string | undefined {
    return this.keyTerms.find(({ of, equal }) => of === 'name' && equal)?.value.toString();
  }

  /** The cost of matching a record; checking only its labels, by a short selector, costs 1. */
  costOf(id: number): number {
    const parsed = this.uniqueTerms.length === 0 ? 0 : this.objects.get(id, 'objectLength');
    return this.checkCost + costOfBytes(parsed);
  }

  /** Keeps its results from now on, until `forget`. */
  memoise(): void {
    if (this.labels) this.labelMemo ??= this.objects.labels.memo();
    if (this.indexedTerms.length > 0) this.tupleMemo ??= this.objects.tuples.memo();
  }

  forget(): void {
    if (this.labelMemo) this.objects.labels.forget(this.labelMemo);
    if (this.tupleMemo) this.objects.tuples.forget(this.tupleMemo);
    this.labelMemo = undefined;
    this.tupleMemo = undefined;
  }

  matches(id: number): boolean {
    return (
      this.hasLabels(id) &&
      this.hasTuple(id) &&
      this.keyTerms.every((term) => this.hasKey(id, term)) &&
      (this.uniqueTerms.length === 0 || this.hasUnique(id))
    );
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

function remembered(memo: Memo | undefined, id: number, decide: (id: number) => boolean): boolean {
  if (!memo) return decide(id);
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

/** Of all values that were read, those that are indexed. */
export function indexedValues(fields: readonly SelectableField[], values: readonly string[]): string[] {
  if (values.length !== fields.length) throw new JsonBytesError('field values of another kind');
  return values.filter((_, index) => !fields[index]!.isUnique);
}
