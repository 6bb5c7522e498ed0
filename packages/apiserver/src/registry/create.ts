/** Creates an object: sets the server's fields, runs defaulting, admission and validation in kube-apiserver's order, and writes it. */

import { randomUUID } from 'node:crypto';
import { copyJson, type JsonObject } from '@fleet/kube/json-value.ts';
import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { alreadyExists, invalid, noNameGenerated } from '../errors/refusals.ts';
import type { Entry, Requirement } from '../store/object-store.ts';
import { generatedName } from './generate-name.ts';
import type { KubeObject, ObjectMeta } from './kube-object.ts';
import { metadataErrors } from './metadata-rules.ts';
import {
  asStatusErrors,
  keyOf,
  type ResourceContext,
  refuseLarger,
  type Where,
  type WriteOptions,
} from './resource-context.ts';
import { apiVersionOf, type ResourceKind } from './resource-kind.ts';
import { decodeObject, encodeObject } from './stored-object.ts';

/** How many generated names are tried if they are taken. */
const nameAttempts = 8;

export async function createObject(
  context: ResourceContext,
  given: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const { generateName, name } = given.metadata;
  const attempts = generateName && !name ? nameAttempts : 1;
  for (let attempt = 1; ; attempt += 1) {
    const taken = await attempted(context, given, options);
    if ('made' in taken) return taken.made;
    const { object } = taken;
    if (attempt < attempts) continue;
    refuseLarger(taken.entry, options);
    throw generateName
      ? noNameGenerated(context.kind, object.metadata.name!)
      : alreadyExists(
          context.kind,
          object.metadata.name!,
          decodeObject(taken.entry).metadata.deletionTimestamp !== undefined,
        );
  }
}

type Attempt = { made: KubeObject } | { object: KubeObject; entry: Entry };

/** Returns the existing object if the name is taken. */
async function attempted(context: ResourceContext, given: KubeObject, options: WriteOptions): Promise<Attempt> {
  for (;;) {
    const object = begun(context, given, options);
    using claim = await context.claim?.(object, undefined, options);
    await settle(context, object, given, options);
    await options.admitSettled?.(object, undefined);
    const entry = await written(context, object, options, claim?.requires);
    if (entry === 'unmet') continue;
    return entry ? { object, entry } : { made: object };
  }
}

/** Sets the metadata that the server assigns to every object. */
function begun({ kind, now }: ResourceContext, given: KubeObject, where: WriteOptions): KubeObject {
  const object = copyJson(given as unknown as JsonObject) as unknown as KubeObject;
  const { metadata } = object;
  if (metadata.generateName && !metadata.name) metadata.name = generatedName(metadata.generateName);
  metadata.creationTimestamp = timeText(now());
  metadata.uid = randomUUID();
  // Only a deletion sets these.
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  settleNamespace(metadata, kind, where);
  return object;
}

/** Defaults and validates: returns the object to write. */
async function settle(
  { kind }: ResourceContext,
  object: KubeObject,
  given: KubeObject,
  where: WriteOptions,
): Promise<void> {
  const { metadata } = object;
  if (kind.hasStatus && !kind.keepsFirstStatus) delete object['status'];
  if (kind.emptyStatus !== undefined && !kind.keepsFirstStatus) object['status'] = structuredClone(kind.emptyStatus);
  if (kind.hasGeneration) metadata.generation = 1;
  kind.strategy.prepareForCreate?.(object, given);
  if (where.kindError) throw where.kindError(metadata.name ?? '');

  const own = [
    ...((await kind.strategy.validate?.(object)) ?? []),
    ...((await kind.strategy.validateCreate?.(object)) ?? []),
  ];
  // Kinds whose own validation includes the metadata report only those errors.
  const isEnough = kind.checksAgain === 'nothing' && own.length > 0;
  const { generateName: _, ...prefixless } = metadata;
  const checked = kind.allowsAnyPrefix ? prefixless : metadata;
  const errors = isEnough ? own : [...metadataErrors(checked, kind.namespaced, kind.nameFaults), ...own];
  if (errors.length > 0) throw invalid(kind, metadata.name ?? '', errors);
  for (const text of kind.strategy.warnings?.(object, undefined) ?? []) where.warn?.(text);
  kind.strategy.finish?.(object);
  object.apiVersion = apiVersionOf(kind);
  object.kind = kind.kind;
}

/** Sets the request's namespace; an object with another one is refused. */
export function settleNamespace(
  metadata: ObjectMeta,
  { namespaced }: Pick<ResourceKind, 'namespaced'>,
  { namespace }: Where,
): void {
  if (!namespaced || !namespace) delete metadata.namespace;
  else if (!metadata.namespace) metadata.namespace = namespace;
  else if (metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** As in Go: only an unsigned integer of 64 bits other than 0 counts. */
const isVersion = (text = ''): boolean => /^0*[1-9]\d*$/.test(text) && BigInt(text) < 2n ** 64n;

/** The existing object if the name is taken; `unmet` if a claim has to be repeated. Otherwise the object has its version. */
async function written(
  context: ResourceContext,
  object: KubeObject,
  options: WriteOptions,
  claimed: readonly Requirement[] = [],
): Promise<Entry | undefined | 'unmet'> {
  const key = keyOf(context, options, object.metadata.name!);
  if (options.dryRun) return (await asStatusErrors(context.store.get(key))).entry;
  if (isVersion(object.metadata.resourceVersion)) {
    // In kube-apiserver this is an error of the storage, which has no reason.
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  const value = encodeObject(object);
  for (;;) {
    // Checked again here, as the previous steps may have taken long.
    const requires = await Promise.all((context.requires ?? []).map((required) => required(object)));
    const write = { op: 'create' as const, key, value, requires: [...requires, ...claimed] };
    const outcome = await asStatusErrors(context.store.write(write));
    if (!outcome.done && outcome.unmet) {
      if (claimed.length > 0) return 'unmet';
      continue;
    }
    if (!outcome.done) return outcome.current;
    object.metadata.resourceVersion = String(outcome.revision);
    return undefined;
  }
}
