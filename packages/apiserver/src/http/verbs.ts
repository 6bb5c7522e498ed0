/** The verbs of a resource, and the functions that serve them. */

import { applyPatch } from '@fleet/kube/request-body.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { badRequest, methodNotAllowed, noSuchResource, notFound } from '@fleet/kube/status.ts';
import { verbNotSupported } from '../errors/refusals.ts';
import { isCustom, type PrintedKind } from '../registry/printed-kind.ts';
import type { OwnSubresource } from '../registry/resource-kind.ts';
import { remove, removeAll } from './delete-verbs.ts';
import { medias, refuseUnrouted } from './media.ts';
import { type ApiReply, oneHeader } from './message.ts';
import { requestedForm } from './object-forms.ts';
import { knownType } from './patched.ts';
import { get, list, watch } from './read-verbs.ts';
import { getScale, patchScale, updateScale } from './scale.ts';
import type { Call, Resource, Verb } from './verb.ts';
import { create, patch, update } from './write-verbs.ts';

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

/** Verbs of subresources. */
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

/** The verbs in discovery. */
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
  // The old prefixes: neither has a route for subresources, and `proxy` has no route at all.
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
  refuseOtherFormats(resource, call);
  if (printed.deprecation) call.warn(printed.deprecation);
  return serve(resource, call, requestedForm(call, printed));
}

/** Refuses what the router has no route for, before any warning. */
function refuseOtherFormats({ types }: Resource, { request, ask: { verb } }: Call): void {
  if (verb === 'patch') knownType(request, types, [applyPatch]);
  const accept = oneHeader(request, 'accept');
  if (accept) refuseUnrouted(accept, medias, ['list', 'watch'].includes(verb));
}

/** Custom resources have no router: the handler itself refuses unsupported formats. */
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
  const requested = requestedForm(call, printed);
  return { ...(await serve(resource, call, requested)), media: requested.media };
}
