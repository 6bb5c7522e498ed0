/** Updates `managedFields` with each write, and applies configurations (server-side apply), as kube-apiserver does. */

import { equalJson, fieldOf, isObject, type JsonObject, type JsonValue } from '@fleet/kube/json-value.ts';
import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { TypeRef } from '../../schema/merge-type.ts';
import { FieldSet } from '../fields/field-set.ts';
import { byName } from '../fields/path-element.ts';
import { errorText, fitsLive, validationErrors } from '../typed/validation.ts';
import { capUpdaters } from './cap-updaters.ts';
import { Conflicts } from './conflicts.ts';
import { allowedConflicts, withLastApplied } from './last-applied.ts';
import {
  type Identity,
  identityOf,
  identityText,
  type Managed,
  ManagedFieldsError,
  type Managers,
  metadataOf,
  readManagers,
  withManagedFields,
  writeManagers,
} from './managed.ts';
import { Merging, type Versions } from './merging.ts';

export interface ManagedKind extends Versions {
  apiVersion: string;
  kind: string;
  /** Fields set through the subresource have a manager of their own. */
  subresource: string;
  /** Objects of an unknown version cannot be tracked; otherwise fields of such a version lose their manager. */
  knowsItsVersions?: boolean;
  /** Go's zero value of the type, with which new objects are compared. */
  empty: JsonObject;
}

export interface Applying {
  manager: string;
  force: boolean;
  now: Date;
}

/** Fields that the server itself maintains. */
const strippedNames = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];
const stripped = FieldSet.of(
  ...['apiVersion', 'kind', 'metadata'].map((name) => [byName(name)]),
  ...strippedNames.map((name) => [byName('metadata'), byName(name)]),
);

/** A key that no manager has: the changes of an update are kept separate from the manager's earlier fields. */
const self = 'current-operation';

export class FieldManager {
  private readonly kind: ManagedKind;
  private readonly merging: Merging;

  constructor(kind: ManagedKind) {
    this.kind = kind;
    this.merging = new Merging(kind, kind.apiVersion);
  }

  /** `next`, the successor of `live`, with its managers. An object that cannot be tracked has none, as in kube-apiserver. */
  update(live: JsonObject | undefined, next: JsonObject, manager: string, now: Date): JsonObject {
    const before = live ?? this.kind.empty;
    const managers = this.managersOf(before, next);
    const isNew = !fieldOf(metadataOf(before), 'uid');
    if (managers.size === 0 && !isNew) return withManagedFields(next, []);
    if (this.kind.knowsItsVersions && [...managers.values()].some((one) => !this.kind.typeOf(one.apiVersion)))
      return withManagedFields(next, []);
    const bare = withManagedFields(next, []);
    if (!this.fits(bare) || !this.fits(before)) return withManagedFields(next, []);
    return withManagedFields(next, writeManagers(this.tracked(before, bare, managers, manager, now)));
  }

  /** The live object with the configuration applied; throws on a conflict. */
  apply(live: JsonObject | undefined, config: JsonObject, { manager, force, now }: Applying): JsonObject {
    this.checkKind(config);
    const before = live ?? this.kind.empty;
    const managers = this.managersToApply(before);
    const started = managers.size > 0 ? managers : this.startedWith(before, now);
    this.checkConfig(config);
    this.refuseInvalid(before, true, 'failed to create typed live object');
    const applied = this.appliedOrTakenOver(before, config, started, { manager, force, now });
    const object = manager === 'kubectl' ? withLastApplied(applied.object, config) : applied.object;
    return withManagedFields(object, writeManagers(applied.managers));
  }

  private managersOf(live: JsonObject, next: JsonObject): Managers {
    const entries = fieldOf(metadataOf(next), 'managedFields') ?? null;
    const ofLive = () => orNone(() => readManagers(fieldOf(metadataOf(live), 'managedFields')));
    // A write of a subresource cannot set them.
    if (this.kind.subresource) return ofLive();
    if (isReset(entries)) return new Map();
    const given = orNone(() => readManagers(entries));
    // Clients that omit them do not delete them.
    return given.size > 0 ? given : ofLive();
  }

  private managersToApply(live: JsonObject): Managers {
    try {
      return readManagers(fieldOf(metadataOf(live), 'managedFields'));
    } catch (cause) {
      if (!(cause instanceof ManagedFieldsError)) throw cause;
      throw unforeseen(`failed to decode managed fields: ${cause.message}`, cause);
    }
  }

  private tracked(live: JsonObject, next: JsonObject, before: Managers, manager: string, now: Date): Managers {
    const me = this.entry(identityOf(manager, 'Update', this.kind.apiVersion, this.kind.subresource));
    const managers = this.merging.update(withManagedFields(live, []), next, before, self, me);
    const changed = strip(managers, self);
    if (!changed) return capUpdaters(managers);
    managers.delete(self);
    const name = identityText(me.identity);
    const fields = managers.get(name)?.fields.union(changed.fields) ?? changed.fields;
    managers.set(name, { ...changed, fields, time: timeText(now.getTime()) });
    return capUpdaters(managers);
  }

  private appliedOrTakenOver(live: JsonObject, config: JsonObject, managers: Managers, how: Applying) {
    try {
      return this.applied(live, config, managers, how);
    } catch (error) {
      if (!(error instanceof Conflicts)) throw error;
      const allowed = how.manager === 'kubectl' ? allowedConflicts(live, this.kind) : undefined;
      if (!allowed) throw error.toStatusError();
      const left = error.without(allowed);
      if (left.conflicts.length > 0) throw left.toStatusError();
      return this.applied(live, config, managers, { ...how, force: true });
    }
  }

  private applied(live: JsonObject, config: JsonObject, before: Managers, { manager, force, now }: Applying) {
    const me = this.entry(identityOf(manager, 'Apply', this.kind.apiVersion, this.kind.subresource));
    const name = identityText(me.identity);
    const bare = withManagedFields(live, []);
    const { object, managers } = this.merging.apply(bare, config, before, name, me, force);
    const mine = strip(managers, name);
    const changes = !equalJson(bare, object);
    // An apply without changes keeps the time.
    if (mine && changes) managers.set(name, { ...mine, time: timeText(now.getTime()) });
    return { object: changes ? object : bare, managers };
  }

  private entry(identity: Identity): Managed {
    return {
      identity,
      apiVersion: this.kind.apiVersion,
      applied: identity.operation === 'Apply',
      fields: new FieldSet(),
    };
  }

  /** Fields from before the first apply get one common manager. */
  private startedWith(live: JsonObject, now: Date): Managers {
    const text = 'failed to create manager for existing fields: failed to convert new object';
    this.refuseInvalid(live, true, text, ' to smd typed');
    return this.tracked(this.kind.empty, withManagedFields(live, []), new Map(), 'before-first-apply', now);
  }

  private checkKind(config: JsonObject): void {
    const shown = groupVersionKind(config);
    if (shown !== groupVersionKind({ apiVersion: this.kind.apiVersion, kind: this.kind.kind })) {
      throw badRequest(`invalid object type: ${shown}`);
    }
  }

  private checkConfig(config: JsonObject): void {
    if (Array.isArray(fieldOf(metadataOf(config), 'managedFields'))) {
      throw badRequest('metadata.managedFields must be nil');
    }
    this.refuseInvalid(config, false, 'failed to create typed patch object');
  }

  private refuseInvalid(object: JsonObject, allowDuplicates: boolean, text: string, end = ''): void {
    const errors = this.errors(object, allowDuplicates);
    if (errors.length === 0) return;
    throw unforeseen(`${text} (${nameIn(object)}; ${groupVersionKind(object)})${end}: ${errorText(errors)}`);
  }

  private errors(object: JsonObject, allowDuplicates: boolean) {
    return validationErrors(object, this.typeFor(object), allowDuplicates);
  }

  private fits(live: JsonObject): boolean {
    return fitsLive(live, this.typeFor(live));
  }

  private typeFor(object: JsonObject): TypeRef {
    const type = this.kind.typeOf(this.kind.apiVersion);
    if (!type) throw unforeseen(`no corresponding type for ${groupVersionKind(object)}`);
    return type;
  }
}

/** kube-apiserver responds with 500 and the text. */
const unforeseen = (message: string, cause?: unknown) =>
  new StatusError(500, '', message, undefined, cause === undefined ? undefined : { cause });

/** An empty list, or one empty entry, resets the managers. */
const isReset = (entries: JsonValue): boolean => {
  if (!Array.isArray(entries)) return false;
  const [first] = entries;
  return entries.length === 0 || (entries.length === 1 && isObject(first) && Object.keys(first).length === 0);
};

function orNone(read: () => Managers): Managers {
  try {
    return read();
  } catch (error) {
    if (error instanceof ManagedFieldsError) return new Map();
    throw error;
  }
}

/** Removes the server's own fields from a manager, and managers without fields. */
function strip(managers: Managers, name: string): Managed | undefined {
  const managed = managers.get(name);
  if (!managed) return undefined;
  const fields = managed.fields.difference(stripped);
  if (fields.isEmpty) {
    managers.delete(name);
    return undefined;
  }
  const kept = { ...managed, fields };
  managers.set(name, kept);
  return kept;
}

const textAt = (object: JsonObject, key: string): string => {
  const value = fieldOf(object, key);
  return typeof value === 'string' ? value : '';
};

/** Go's format: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
export function groupVersionKind(object: JsonObject): string {
  const apiVersion = textAt(object, 'apiVersion');
  if (apiVersion.split('/').length > 2) return '/, Kind=';
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${textAt(object, 'kind')}`;
}

/** `namespace/name`. */
export const nameIn = (object: JsonObject): string => {
  const metadata = metadataOf(object);
  return `${textAt(metadata, 'namespace')}/${textAt(metadata, 'name')}`;
};
