/** What each verb answers. */

import { applyPatch } from '@fleet/kube/request-body.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { badRequest, methodNotAllowed, noSuchResource, notFound, qualified, StatusError } from '@fleet/kube/status.ts';
import { timerMillis } from '@fleet/kube/timer-millis.ts';
import type { User } from '../authn/user.ts';
import type { DeleteOptions } from '../registry/delete.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { List } from '../registry/list.ts';
import { isCustom, type PrintedKind } from '../registry/printed-kind.ts';
import type { Registry } from '../registry/registry.ts';
import { refuseLarger, TooLargeHere } from '../registry/resource-context.ts';
import type { OwnSubresource } from '../registry/resource-kind.ts';
import { decodeObject } from '../registry/stored-object.ts';
import { admitted, type Mutate } from './admitted.ts';
import { disowned, type FieldOwner, managerOf } from './field-owner.ts';
import { type ApiReply, type ApiRequest, jsonReply } from './message.ts';
import { isAsStored, listReply, objectReply, storedReply, type Wanted, wantedForm } from './object-forms.ts';
import type { KindMisfit, ObjectTypes } from './object-types.ts';
import { knownType } from './patched.ts';
import { readPatch } from './patching.ts';
import { readJson, refuseOtherName, refuseOtherNamespace } from './read-object.ts';
import { readDeleteBody, readDeleteOptions, readListQuery } from './read-options.ts';
import { getScale, patchScale, updateScale } from './scale.ts';
import { readObject } from './strict-object.ts';
import { type WriteElsewhere, watchReply } from './watch-reply.ts';
import { readWriteOptions } from './write-options.ts';

export interface Resource {
  printed: PrintedKind;
  registry: Registry;
  types: ObjectTypes;
  owner: FieldOwner;
  /** Refuses what the server as a whole does not want, such as objects in no namespace. */
  admit(object: KubeObject): Promise<unknown>;
  /** Puts in what admission gives an object, and refuses what it does not want. */
  mutate?: Mutate | undefined;
  /** Refuses what this user may not write, though they may write the resource. */
  guard?: Guard | undefined;
}

/** `old` is undefined for what is new. */
export type Guard = (write: Pick<Call, 'user' | 'ask'> & Written) => Promise<void>;

interface Written {
  object: KubeObject;
  old: KubeObject | undefined;
}

export interface Call {
  request: ApiRequest;
  ask: ResourceRequest;
  query: URLSearchParams;
  user: User;
  /** Tells the client something beside the answer. */
  warn(text: string): void;
  /** In bytes: what is there and larger is not looked into, but thrown as `TooLargeHere`. */
  atMost?: number | undefined;
  /** Events of larger objects are written by it. */
  writeElsewhere?: WriteElsewhere | undefined;
}

export type Verb = (resource: Resource, call: Call, wanted: Wanted) => Promise<ApiReply>;

const placed = (object: KubeObject, { namespace }: ResourceRequest): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace: namespace! },
});

const create: Verb = async (resource, call, wanted) => {
  const { printed, registry, types, owner, admit, guard } = resource;
  const { request, ask, query, user, warn, atMost } = call;
  const { dryRun, fieldValidation } = readWriteOptions(query, 'CreateOptions');
  let misfit: KindMisfit | undefined;
  const object = readObject(printed, types, call, fieldValidation, (found) => {
    misfit = found;
  });
  if (printed.namespaced) {
    refuseOtherNamespace(object, ask.namespace);
    await admit(placed(object, ask));
  }
  const owned = await admitted(
    resource.mutate,
    ask,
    owner.tracked(undefined, object, managerOf(request, query)),
    undefined,
  );
  await guard?.({ user, ask, object: owned, old: undefined });
  const created = await registry.create(types.kept(owned), { namespace: ask.namespace, dryRun, misfit, warn, atMost });
  return objectReply(201, created, wanted);
};

const get: Verb = async ({ registry }, { ask: { name, namespace }, query, atMost }, wanted) => {
  const resourceVersion = query.get('resourceVersion') ?? '';
  const entry = await registry.get(name!, { namespace, resourceVersion });
  if (isAsStored(wanted)) return storedReply(entry);
  refuseLarger(entry, { atMost });
  return objectReply(200, decodeObject(entry), wanted);
};

const list: Verb = async ({ printed, registry }, { ask, query, atMost }, wanted) => {
  const options = readListQuery(query, printed, false);
  const found = await registry.list({ ...options, namespace: ask.namespace });
  refuseLong(found, wanted, atMost);
  return listReply(found, wanted);
};

/** What is no JSON is made of the whole; for other forms each object is read. */
function refuseLong({ entries }: List, { media, form }: Wanted, atMost = Number.POSITIVE_INFINITY): void {
  const isWhole = media !== 'application/json';
  if (isWhole && entries.reduce((sum, { value }) => sum + value.length, 0) > atMost) throw new TooLargeHere();
  if (form !== 'object') for (const entry of entries) refuseLarger(entry, { atMost });
}

/** Ends so that clients spread anew over servers, as kube-apiserver's do: after 30 to 60 minutes. */
const watchMillis = (): number => 1_800_000 * (1 + Math.random());

const watch: Verb = async ({ printed, registry }, { request, ask, query, writeElsewhere }, wanted) => {
  const { timeout, fields = [], ...options } = readListQuery(query, printed, true);
  // The old paths under /watch/ name their object.
  const named = ask.name === undefined ? [] : [{ field: 'metadata.name', value: ask.name, equal: true }];
  const end = AbortSignal.timeout(timerMillis(timeout || watchMillis()));
  const signal = AbortSignal.any([request.signal, end]);
  return watchReply(
    registry.watch({ ...options, fields: [...fields, ...named], namespace: ask.namespace, signal }),
    wanted,
    writeElsewhere,
  );
};

const update: Verb = async (resource, call, wanted) => {
  const { printed, registry, types, owner, admit, guard } = resource;
  const { request, ask, query, user, warn, atMost } = call;
  const { dryRun, fieldValidation } = readWriteOptions(query, 'UpdateOptions');
  let misfit: KindMisfit | undefined;
  const object = readObject(printed, types, call, fieldValidation, (found) => {
    misfit = found;
  });
  if (printed.namespaced) refuseOtherNamespace(object, ask.namespace);
  refuseOtherName(object, ask.name!);
  const subresource = ask.subresource as 'status' | OwnSubresource | undefined;
  const mayCreate = printed.createsOnUpdate && subresource === undefined;
  // Through the status no kind is written.
  const isOnlyStatus = misfit !== undefined && subresource === 'status';
  const options = {
    namespace: ask.namespace,
    dryRun,
    subresource,
    mayCreate,
    uid: object.metadata.uid,
    misfit: isOnlyStatus ? undefined : misfit,
    warn,
    atMost,
  };
  const updated = await registry.update(ask.name!, options, async (old) => {
    if (!old && printed.namespaced) await admit(placed(object, ask));
    const tracked = isOnlyStatus
      ? disowned(object)
      : owner.tracked(old, object, managerOf(request, query), subresource);
    const owned = await admitted(resource.mutate, ask, tracked, old);
    await guard?.({ user, ask, object: owned, old });
    return types.kept(owned);
  });
  return objectReply(updated.created ? 201 : 200, updated.object, wanted);
};

const patch: Verb = async (resource, { request, ask, query, user, warn, atMost }, wanted) => {
  const { printed, registry, types, owner, admit, guard } = resource;
  const subresource = ask.subresource as 'status' | OwnSubresource | undefined;
  const { change, mayCreate, dryRun } = readPatch({ request, query, types, owner, subresource, warn });
  const { namespace, name } = ask;
  const options = { namespace, dryRun, subresource, mayCreate, warn, atMost };
  const updated = await registry.update(name!, options, async (old) => {
    const changed = await change(old);
    if (printed.namespaced) refuseOtherNamespace(changed, namespace);
    refuseOtherName(changed, name!);
    if (!old && printed.namespaced) await admit(placed(changed, ask));
    const object = await admitted(resource.mutate, ask, changed, old);
    await guard?.({ user, ask, object, old });
    return types.kept(object);
  });
  return objectReply(updated.created ? 201 : 200, updated.object, wanted);
};

const deleteOptionsOf = ({ request, query }: Call) =>
  readDeleteOptions(request.body.length > 0 ? readDeleteBody(readJson(request)) : undefined, query);

const remove: Verb = async ({ printed, registry }, call, wanted) => {
  const { ask, atMost } = call;
  const options = deleteOptionsOf(call);
  warnOfOrphans(printed, call, options);
  const { object, gone } = await registry.delete(ask.name!, { ...options, namespace: ask.namespace, atMost });
  if (!gone) {
    return objectReply(options.orphanDependents === false ? 202 : 200, object, wanted);
  }
  if (printed.returnsDeleted) return objectReply(200, object, wanted);
  const { name, uid } = object.metadata;
  const details = { name, ...(printed.group ? { group: printed.group } : {}), kind: printed.resource, uid };
  return jsonReply(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
};

/** Kinds that orphan their dependents do so for compatibility alone. */
function warnOfOrphans({ orphansDependents }: PrintedKind, call: Call, options: DeleteOptions): void {
  const isTold = options.propagationPolicy !== undefined || options.orphanDependents !== undefined;
  if (orphansDependents !== undefined && !isTold) call.warn(orphansDependents);
}

const removeAll: Verb = async ({ printed, registry }, call, wanted) => {
  const options = readListQuery(call.query, printed, false);
  const { ask, atMost } = call;
  // How much it will be is known when it is too late to go elsewhere.
  if (atMost !== undefined && wanted.media !== 'application/json') throw new TooLargeHere();
  const { namespace } = ask;
  const deletion = deleteOptionsOf(call);
  warnOfOrphans(printed, call, deletion);
  return listReply(await registry.deleteCollection({ ...options, namespace, atMost }, deletion), wanted);
};

type Verbs = Partial<Record<ResourceRequest['verb'], Verb>>;

const verbs: Verbs = {
  create,
  get,
  list,
  watch,
  update,
  patch,
  delete: remove,
  deletecollection: removeAll,
};

/** What is served below the name of an object. */
const subresourceVerbs: Record<Subresource, Verbs> = {
  status: { get, update, patch },
  finalize: { update },
  ephemeralcontainers: { get, update, patch },
  resize: { get, update, patch },
  scale: { get: getScale, update: updateScale, patch: patchScale },
};

export type Subresource = OwnSubresource | 'scale' | 'status';

export const subresourcesOf = ({ hasStatus, scale, subresources = [] }: PrintedKind): Subresource[] => [
  ...subresources,
  ...(scale ? ['scale' as const] : []),
  ...(hasStatus ? ['status' as const] : []),
];

/** What discovery says of a resource. */
const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
export const verbNames = (kind: PrintedKind): readonly string[] =>
  kind.verbs ?? (isCustom(kind) ? customVerbs : allVerbs);
export const subresourceVerbNames = (subresource: Subresource): string[] =>
  Object.keys(subresourceVerbs[subresource]).sort();

export async function serveResource(resource: Resource, call: Call): Promise<ApiReply> {
  if (isCustom(resource.printed)) return serveCustom(resource, call);
  const { printed } = resource;
  const { subresource, verb, namespace, name } = call.ask;
  const below = subresourcesOf(printed).find((one) => one === subresource);
  if ((subresource !== undefined && !below) || call.ask.rest.length > 0) throw noSuchResource();
  if (!printed.namespaced && namespace !== undefined && printed.resource !== 'namespaces') throw noSuchResource();
  // The old prefixes: none has a route below an object, and `proxy` has none at all.
  if (verb === 'proxy' || (verb === 'watch' && subresource !== undefined)) throw noSuchResource();
  const isOne = name !== undefined && !['list', 'watch', 'deletecollection'].includes(verb);
  if (printed.namespaced && namespace === undefined && (isOne || verb === 'create' || verb === 'deletecollection')) {
    throw isOne
      ? noSuchResource()
      : methodNotAllowed('the server does not allow this method on the requested resource');
  }
  const serve = (below ? subresourceVerbs[below] : verbs)[verb];
  const needsName = !['create', 'list', 'watch', 'deletecollection'].includes(verb);
  const isMisplaced = verb === 'create' ? name !== undefined : needsName && name === undefined;
  const isOtherMethod = verb === 'watch' && !['GET', 'HEAD'].includes(call.request.method);
  if (!serve || isMisplaced || isOtherMethod || (!below && !verbNames(printed).includes(verb)))
    throw methodNotAllowed('the server does not allow this method on the requested resource');
  return serve(resource, call, wantedForm(call, printed));
}

/** Without a router before it: what does not fit is told by who would answer. */
async function serveCustom(resource: Resource, call: Call): Promise<ApiReply> {
  const { printed, types } = resource;
  const { subresource, verb, namespace, name } = call.ask;
  const isAcross = ['list', 'watch'].includes(verb);
  if (printed.namespaced ? namespace === undefined && !isAcross : namespace !== undefined) throw noSuchResource();
  const below = subresourcesOf(printed).find((one) => one === subresource);
  if (subresource !== undefined && !below) throw notFound(printed, name ?? '');
  const serve = (below ? subresourceVerbs[below] : verbs)[verb];
  if (!serve) throw verbNotSupported(printed, verb);
  if (verb === 'patch') knownType(call.request, types, [applyPatch]);
  if (name === undefined && ['get', 'update', 'patch', 'delete'].includes(verb))
    throw badRequest('name must be provided');
  const wanted = wantedForm(call, printed);
  return { ...(await serve(resource, call, wanted)), media: wanted.media };
}

const verbNotSupported = (kind: PrintedKind, verb: string): StatusError =>
  new StatusError(
    405,
    'MethodNotAllowed',
    `${verb === 'unknown' ? '' : verb} is not supported on resources of kind "${qualified(kind)}"`,
    { group: kind.group, kind: kind.resource },
  );
