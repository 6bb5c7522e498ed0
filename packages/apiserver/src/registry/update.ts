/** Updates an object: optimistic concurrency, immutable fields, and removal with the last finalizer. */

import { isDeepStrictEqual } from 'node:util';
import { copyJson, type JsonObject, type JsonValue, jsonText, parseJson, setField } from '@fleet/kube/json-value.ts';
import { notFound, StatusError } from '@fleet/kube/status.ts';
import { invalidValue } from '../errors/field-error.ts';
import { quoted } from '../errors/quoted.ts';
import { conflict, invalid } from '../errors/refusals.ts';
import type { Entry, Requirement } from '../store/object-store.ts';
import { createObject, settleNamespace } from './create.ts';
import type { KubeObject, ObjectMeta } from './kube-object.ts';
import { keepTimes } from './managed-times.ts';
import { metadataErrors, metadataUpdateErrors } from './metadata-rules.ts';
import { asStatusErrors, keyOf, type ResourceContext, refuseLarger, type WriteOptions } from './resource-context.ts';
import { apiVersionOf, type OwnSubresource, type ResourceKind } from './resource-kind.ts';
import { decodeObject, encodeObject } from './stored-object.ts';

/** Computes the new object from the stored one. Called again if that has changed meanwhile. */
export type Change = (old: KubeObject | undefined) => KubeObject | Promise<KubeObject>;

export interface UpdateOptions extends WriteOptions {
  /** The part to write: the status, or another part of the kind; without it everything but the status. */
  subresource?: 'status' | OwnSubresource | undefined;
  /** Written unchanged, without the kind's strategy and validation. */
  isWhole?: boolean | undefined;
  /** The uid of the expected object. */
  uid?: string | undefined;
  /** Create a missing object, as server-side apply does. */
  canCreate?: boolean | undefined;
}

export interface Updated {
  object: KubeObject;
  /** The object before the update. */
  old?: KubeObject;
  created: boolean;
}

export const modifiedMeanwhile =
  'the object has been modified; please apply your changes to the latest version and try again';

export async function updateObject(
  context: ResourceContext,
  name: string,
  options: UpdateOptions,
  change: Change,
): Promise<Updated> {
  const { kind, store } = context;
  const key = keyOf(context, options, name);
  let { entry } = await asStatusErrors(store.get(key));
  for (;;) {
    if (!entry) {
      if (!options.canCreate) throw notFound(kind, name);
      refuseOtherUid(kind, key, options, { name });
      const given = await change(undefined);
      refuseUid(kind, name, given);
      refuseNoVersion(given.metadata.resourceVersion || '0');
      // For a missing object the resourceVersion has no meaning, and is dropped.
      const { resourceVersion: _, ...metadata } = given.metadata;
      const created = options.dryRun ? given : { ...given, metadata };
      // A subresource creates the whole object, without the kind's claims, as in kube-apiserver.
      const { claim, ...rest } = context;
      const made = await createObject(
        options.subresource ? rest : { ...rest, ...(claim ? { claim } : {}) },
        created,
        options,
      );
      return { object: made, created: true };
    }
    refuseLarger(entry, options);
    const old = decodeObject(entry);
    const object = await changed(context, key, old, options, change);
    using claim = options.subresource ? undefined : await context.claim?.(object, old, options);
    if (!options.isWhole) await settle(context, object, old, options);
    await options.admitSettled?.(object, old);
    const outcome = await write(context, entry, object, options, claim?.requires);
    if (outcome === 'written') return { object, old, created: false };
    entry = outcome === 'unmet' ? (await asStatusErrors(store.get(key))).entry : outcome.current;
  }
}

const copyOf = (object: KubeObject): KubeObject => copyJson(object as unknown as JsonObject) as unknown as KubeObject;

/** The new object, unless its uid is of another object. */
async function changed(
  { kind }: ResourceContext,
  key: string,
  old: KubeObject,
  options: UpdateOptions,
  change: Change,
): Promise<KubeObject> {
  const object = copyOf(await change(old));
  refuseOtherUid(kind, key, options, old.metadata);
  refuseOtherVersion(kind, object, old);
  if (options.kindError) throw options.kindError(object.metadata.name ?? '');
  settleNamespace(object.metadata, kind, options);
  return object;
}

/** Restores fields that an update must not change, and validates. */
async function settle(
  { kind }: ResourceContext,
  object: KubeObject,
  old: KubeObject,
  options: UpdateOptions,
): Promise<void> {
  keepImmutableFields(kind, object, old, options);
  kind.strategy.prepareForUpdate?.(object, old, options.subresource);
  if (kind.hasGeneration && hasOtherWants(kind, object, old))
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  keepTimes(object, old);
  const looksAtAll = ['all', 'all twice'].includes(kind.checksAgain ?? '') && !isPart(options);
  // Metadata is validated for all kinds, and again by the kind's own rules, as in kube-apiserver: clients see both errors.
  const errors = [
    ...metadataErrors(object.metadata, kind.namespaced),
    ...metadataUpdateErrors(object.metadata, old.metadata),
    ...(looksAtAll && kind.checksAgain === 'all twice'
      ? metadataErrors(object.metadata, kind.namespaced, kind.nameFaults)
      : kind.checksAgain === 'nothing'
        ? []
        : metadataUpdateErrors(object.metadata, old.metadata)),
    ...((await kind.strategy.validateUpdate?.(object, old, options.subresource)) ?? []),
    ...(looksAtAll ? metadataErrors(object.metadata, kind.namespaced, kind.nameFaults) : []),
    ...((await kind.strategy.validate?.(object)) ?? []),
  ];
  if (errors.length > 0) throw invalid(kind, object.metadata.name ?? '', errors);
  for (const text of kind.strategy.warnings?.(object, old, options.subresource) ?? []) options.warn?.(text);
  kind.strategy.finish?.(object);
}

/** A write of a part is validated by the kind's rules for that part only. */
const isPart = ({ subresource }: UpdateOptions): boolean => subresource === 'status' || subresource === 'finalize';

/** A write of the status changes nothing else, so there is nothing to compare. */
function hasOtherWants(kind: ResourceKind, object: KubeObject, old: KubeObject): boolean {
  const known = ['apiVersion', 'kind', 'metadata', ...(kind.hasStatus ? ['status'] : [])];
  const fields = new Set([...Object.keys(object), ...Object.keys(old)]);
  const isSame = [...fields].every((field) => known.includes(field) || object[field] === old[field]);
  return !isSame && wants(kind, object) !== wants(kind, old);
}

/** Everything except metadata and status, for comparing the spec. */
function wants({ hasStatus }: ResourceKind, { metadata: _, apiVersion: __, kind: ___, ...rest }: KubeObject): string {
  const { status: ____, ...spec } = rest;
  return jsonText(sorted(hasStatus ? spec : rest) as JsonValue);
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
};

function keepImmutableFields(
  kind: ResourceKind,
  object: KubeObject,
  old: KubeObject,
  { subresource }: UpdateOptions,
): void {
  object.apiVersion = apiVersionOf(kind);
  object.kind = kind.kind;
  const { metadata } = object;
  for (const field of ['generation', 'creationTimestamp', 'deletionTimestamp'] as const)
    assign(metadata, old.metadata, field);
  metadata.uid ||= old.metadata.uid!;
  if (metadata.deletionGracePeriodSeconds === undefined) assign(metadata, old.metadata, 'deletionGracePeriodSeconds');
  if (!kind.hasStatus) return;
  if (subresource === 'status') {
    for (const field of Object.keys(object)) if (!['metadata', 'status'].includes(field)) delete object[field];
    for (const [field, value] of Object.entries(old))
      if (!['metadata', 'status'].includes(field)) setField(object as unknown as JsonObject, field, value as JsonValue);
  } else assign(object, old, 'status');
}

function assign<Held, Field extends keyof Held>(target: Held, source: Held, field: Field): void {
  if (source[field] === undefined) delete target[field];
  else target[field] = source[field];
}

/** A given uid requires an existing object. */
function refuseUid(kind: ResourceKind, name: string, { metadata: { uid } }: KubeObject): void {
  if (!uid) return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(kind, name, why);
}

/** Names of folders in etcd that differ from those of the resources. */
const etcdNames: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  ingresses: 'ingress',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  services: 'services/specs',
};

/** kube-apiserver's key. In a dry run it does not have the common prefix of all keys. */
function shownKey({ group, keyGroup, resource }: ResourceKind, key: string, { dryRun }: UpdateOptions): string {
  const name = keyGroup === '' ? (etcdNames[resource] ?? resource) : resource;
  const path = key
    .replace(/^\/registry/, group === 'apiextensions.k8s.io' ? `/${group}` : '')
    .replace(`/${resource}/`, `/${name}/`);
  return dryRun ? path : `/registry${path}`;
}

function refuseOtherUid(kind: ResourceKind, key: string, options: UpdateOptions, old: ObjectMeta): void {
  const { name, uid = '' } = old;
  if (!options.uid || options.uid === uid) return;
  const text = `Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${uid}`;
  throw conflict(kind, name!, storageError(shownKey(kind, key, options), text));
}

/** kube-apiserver shows the storage's error about a precondition. */
export const storageError = (key: string, text: string): string =>
  `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${text}`;

function refuseNoVersion(version: string): void {
  if (!/^\d+$/.test(version))
    throw new StatusError(500, '', `strconv.ParseUint: parsing ${quoted(version)}: invalid syntax`);
}

function refuseOtherVersion(kind: ResourceKind, { metadata }: KubeObject, old: KubeObject): void {
  const version = metadata.resourceVersion || '0';
  const name = old.metadata.name!;
  refuseNoVersion(version);
  if (Number(version) === 0) {
    if (kind.allowsUnconditionalUpdate) {
      metadata.resourceVersion = old.metadata.resourceVersion!;
      return;
    }
    const missing = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid({ group: kind.group, kind: kind.resource }, name, [missing]);
  }
  if (version !== old.metadata.resourceVersion) throw conflict(kind, name, modifiedMeanwhile);
}

/** Writes nothing if nothing has changed. */
async function write(
  { kind, store, afterDelete }: ResourceContext,
  entry: Entry,
  object: KubeObject,
  { dryRun }: UpdateOptions,
  requires?: readonly Requirement[],
): Promise<'written' | 'unmet' | { current: Entry | undefined }> {
  const value = encodeObject(object);
  const ends = isFinished(kind, object);
  if (dryRun || (!ends && !entry.stale && isSame(value, entry.value))) {
    object.metadata.resourceVersion = String(entry.revision);
    return 'written';
  }
  const at = { key: entry.key, ifRevision: entry.revision };
  const change = { op: 'update' as const, value, ...at, ...(requires ? { requires } : {}) };
  const outcome = await asStatusErrors(store.write(ends ? { op: 'delete', ...at } : change));
  if (!outcome.done) return outcome.unmet ? 'unmet' : outcome;
  if (ends) await afterDelete?.(object);
  object.metadata.resourceVersion = String(ends ? entry.revision : outcome.revision);
  return 'written';
}

/** Another order of the same fields is not a change; it has the same number of bytes. */
const isSame = (value: Uint8Array, old: Uint8Array): boolean =>
  value.length === old.length &&
  sumOf(value) === sumOf(old) &&
  (Buffer.compare(value, old) === 0 ||
    isDeepStrictEqual(parseJson(Buffer.from(value).toString()), parseJson(Buffer.from(old).toString())));

/** The sum of the bytes, in any order: detects most changes without parsing. */
function sumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < bytes.length; index += 1) sum += bytes[index]!;
  return sum;
}

/** It is being deleted, and nothing delays its removal any more. */
const isFinished = ({ strategy }: ResourceKind, object: KubeObject): boolean =>
  object.metadata.deletionTimestamp !== undefined &&
  (object.metadata.finalizers ?? []).length === 0 &&
  (object.metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
  !strategy.isHeld?.(object);
