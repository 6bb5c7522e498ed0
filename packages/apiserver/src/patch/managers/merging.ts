/** Computes managers after an update or an apply and, for an apply, the object (structured-merge-diff's Updater). */

import { fieldOf, isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import type { TypeRef } from '../../schema/merge-type.ts';
import { FieldSet } from '../fields/field-set.ts';
import { type Comparison, compare } from '../typed/compare.ts';
import { fieldsOf } from '../typed/fields-of.ts';
import { merge } from '../typed/merge.ts';
import { reconcile, withNamedFields } from '../typed/reconcile.ts';
import { removeFields } from '../typed/remove.ts';
import { type Conflict, Conflicts } from './conflicts.ts';
import type { Managed, Managers } from './managed.ts';

/** The versions of a kind. */
export interface Versions {
  /** Undefined for a version that is no longer served: its managers are dropped. */
  typeOf(apiVersion: string): TypeRef | undefined;
  convert(object: JsonObject, apiVersion: string): JsonObject;
  /** Fields that this request cannot set, such as the status: they get no manager. */
  resetFields(apiVersion: string): FieldSet | undefined;
}

interface Typed {
  value: JsonObject;
  type: TypeRef;
}

const noFields = new FieldSet();

export class Merging {
  private readonly versions: Versions;
  private readonly apiVersion: string;

  constructor(versions: Versions, apiVersion: string) {
    this.versions = versions;
    this.apiVersion = apiVersion;
  }

  /** The managers after `next` has replaced `live`; `self` is the manager of the write. */
  update(live: JsonObject, next: JsonObject, before: Managers, self: string, me: Managed): Managers {
    const managers = this.reconciled(before);
    const { comparison } = this.settle(live, next, managers, self, true);
    const mine = managers.get(self)?.fields ?? noFields;
    const fields = this.settable(
      mine.difference(comparison.removed).union(comparison.modified).union(comparison.added),
    );
    if (fields.isEmpty) managers.delete(self);
    else managers.set(self, { ...me, fields });
    return managers;
  }

  /** The object with `config` merged, and without fields that `self` applied before and no longer does. */
  apply(live: JsonObject, config: JsonObject, before: Managers, self: string, me: Managed, force: boolean) {
    const managers = this.reconciled(before);
    const { type } = this.typed(live, this.apiVersion)!;
    const merged = merge(live, config, type);
    const last = managers.get(self);
    const time = last?.time;
    managers.set(self, { ...me, fields: this.settable(fieldsOf(config, type)), ...(time ? { time } : {}) });
    const object = this.pruned(isObject(merged) ? merged : {}, managers, last);
    this.settle(live, object, managers, self, force);
    return { object, managers };
  }

  private settable(fields: FieldSet): FieldSet {
    const reset = this.versions.resetFields(this.apiVersion);
    return reset ? fields.recursiveDifference(reset) : fields;
  }

  private typed(object: JsonObject, apiVersion: string): Typed | undefined {
    const type = this.versions.typeOf(apiVersion);
    if (!type) return undefined;
    const isThat = fieldOf(object, 'apiVersion') === apiVersion;
    return { value: isThat ? object : this.versions.convert(object, apiVersion), type };
  }

  private reconciled(before: Managers): Managers {
    const managers: Managers = new Map();
    for (const [name, managed] of before) {
      const type = this.versions.typeOf(managed.apiVersion);
      if (type) managers.set(name, { ...managed, fields: reconcile(managed.fields, type) });
    }
    return managers;
  }

  private compared(live: JsonObject, next: JsonObject, apiVersion: string): Comparison | undefined {
    const left = this.typed(live, apiVersion);
    const right = this.typed(next, apiVersion);
    if (!left || !right) return undefined;
    const comparison = compare(left.value, right.value, left.type);
    const reset = this.versions.resetFields(apiVersion);
    if (!reset) return comparison;
    return {
      removed: comparison.removed.recursiveDifference(reset),
      modified: comparison.modified.recursiveDifference(reset),
      added: comparison.added.recursiveDifference(reset),
    };
  }

  /** Other managers lose changed fields, unless that is a conflict, and always removed fields. */
  private settle(live: JsonObject, next: JsonObject, managers: Managers, self: string, force: boolean) {
    const comparisons = new Map<string, Comparison>();
    const comparedIn = (apiVersion: string) => {
      const known = comparisons.get(apiVersion) ?? this.compared(live, next, apiVersion);
      if (known) comparisons.set(apiVersion, known);
      return known;
    };
    const conflicts: Conflict[] = [];
    const left: [string, Managed][] = [];
    for (const [name, managed] of managers) {
      if (name === self) continue;
      const comparison = comparedIn(managed.apiVersion);
      if (!comparison) {
        managers.delete(name);
        continue;
      }
      const taken = managed.fields.intersection(comparison.modified.union(comparison.added));
      for (const path of taken.paths()) conflicts.push({ with: managed.identity, path });
      left.push([name, { ...managed, fields: managed.fields.difference(taken).difference(comparison.removed) }]);
    }
    if (!force && conflicts.length > 0) throw new Conflicts(conflicts);
    for (const [name, managed] of left) managers.set(name, managed);
    for (const [name, managed] of managers) if (managed.fields.isEmpty) managers.delete(name);
    return { comparison: comparedIn(this.apiVersion)! };
  }

  /** Removes fields that were applied before, no longer are, and have no other manager. */
  private pruned(merged: JsonObject, managers: Managers, last: Managed | undefined): JsonObject {
    const typed = last && !last.fields.isEmpty ? this.typed(merged, last.apiVersion) : undefined;
    if (!last || !typed) return merged;
    const { value, type } = typed;
    const applied = withNamedFields(last.fields, type);
    const bare = asObject(removeFields(value, applied, type));
    const owned = this.withOwned(value, bare, managers, last.apiVersion);
    // In other versions more fields may have been removed than were applied before: those are restored.
    const ofVersion = this.typed(owned, last.apiVersion)!;
    const kept = withNamedFields(fieldsOf(ofVersion.value, type), type);
    const all = withNamedFields(fieldsOf(value, type), type);
    const pruned = removeFields(value, all.difference(kept).intersection(applied), type);
    return this.typed(asObject(pruned), this.apiVersion)!.value;
  }

  /** Fields of `merged` that `pruned` has or that have a manager, version by version, the pruned one first. */
  private withOwned(merged: JsonObject, pruned: JsonObject, managers: Managers, first: string): JsonObject {
    const managed = new Map<string, FieldSet>();
    const isFirst = ({ apiVersion }: Managed) => Number(apiVersion !== first);
    for (const { apiVersion, fields } of [...managers.values()].sort((one, other) => isFirst(one) - isFirst(other))) {
      managed.set(apiVersion, (managed.get(apiVersion) ?? noFields).union(fields));
    }
    let [whole, rest] = [merged, pruned];
    for (const [apiVersion, fields] of managed) {
      const wholeHere = this.typed(whole, apiVersion);
      const restHere = this.typed(rest, apiVersion);
      if (!wholeHere || !restHere) continue;
      const { type } = wholeHere;
      const all = withNamedFields(fieldsOf(wholeHere.value, type), type);
      const kept = withNamedFields(fieldsOf(restHere.value, type), type).union(withNamedFields(fields, type));
      whole = wholeHere.value;
      rest = asObject(removeFields(whole, all.difference(kept), type));
    }
    return rest;
  }
}

const asObject = (value: JsonValue): JsonObject => (isObject(value) ? value : {});
