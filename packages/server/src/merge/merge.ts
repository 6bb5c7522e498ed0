/** Serves requests to many places: lists, in the form that the client accepts. */

import { type Form, jsonForm } from '@fleet/kube/negotiate.ts';
import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { methodNotAllowed, noSuchResource, notAcceptable, notOneObject, StatusError } from '@fleet/kube/status.ts';
import { compressed } from '../http/gzip.ts';
import type { Incoming, PlainReply, Reply } from '../http/message.ts';
import { askedObjects, type KnownKinds } from '../present/asked-objects.ts';
import type { ClusterName, PlacelessTarget, RequestOptions, View } from '../target/target.ts';
import type { ByteBudget } from './byte-budget.ts';
import { emptyList, type ObjectKind } from './empty-list.ts';
import { readListQuery } from './list-query.ts';
import { mergeList } from './merge-list.ts';
import type { PageTokens } from './page-token.ts';
import { refusePruning } from './pruning.ts';
import type { Missing } from './settle.ts';
import type { ListSource } from './source.ts';

export interface MergeParts {
  partialLists: 'tables' | 'always' | 'never';
  listBudget: ByteBudget;
  pageTokens: PageTokens;
  onMissing(missing: Missing): void;
  /** The kind of a resource's objects, from discovery; empty for an unknown resource. */
  kindOf(resource: ResourceRequest): Promise<ObjectKind>;
  kinds: KnownKinds;
}

export interface MergeAsk {
  target: PlacelessTarget;
  clusters: readonly ClusterName[];
  sourceOf: (cluster: ClusterName) => ListSource;
  incoming: Incoming;
}

export async function merge(parts: MergeParts, { target, clusters, sourceOf, incoming }: MergeAsk): Promise<Reply> {
  const { ask, wire, view, requestOptions } = target;
  if (ask.is !== 'resource' || ask.verb !== 'list') {
    const verb = ask.is === 'resource' ? ask.verb : wire.method;
    throw methodNotAllowed(`${verb} is not supported over many clusters: use /clusterspaces/{cluster} for one of them`);
  }
  if (clusters.length > 1) refusePruning(ask, incoming);
  // Whatever form the client accepts (CACHE-15).
  const form = target.cacheOnly ? 'object' : jsonFormOf(incoming);
  const refusal = formRefused(form);
  if (clusters.length === 0 && readListQuery(wire.query).continueToken === undefined) {
    const kind = await parts.kindOf(ask);
    if (kind.kind === '') throw noSuchResource();
    if (refusal || form === undefined) throw refusal ?? notAcceptable(['application/json']);
    return emptyList(kind, form);
  }
  const list = mergeList(clusters.map(sourceOf), {
    path: wire.path,
    ...(form === undefined || refusal
      ? anyItem
      : { query: wire.query, form, partial: isPartial(parts, requestOptions, form) }),
    shape: { view, isEvent: ask.resource === 'events', asked: askedObjects(ask, parts.kinds) },
    budget: parts.listBudget,
    pageTokens: parts.pageTokens,
    signal: incoming.signal,
    onMissing: parts.onMissing,
  });
  const reply = await withoutRefusals(view, list);
  if (refusal) return refused(reply, refusal);
  return compressed(reply, incoming.headers);
}

const jsonFormOf = ({ headers: { accept } }: Incoming): Form | undefined =>
  jsonForm(accept === undefined ? undefined : [accept].flat().join(','));

function formRefused(form: Form | undefined): StatusError | undefined {
  if (form === undefined) return notAcceptable(['application/json']);
  return form === 'PartialObjectMetadata' ? notOneObject() : undefined;
}

/** Kubernetes reports an unknown resource, or a missing permission, before it checks the form of the answer. */
const anyItem = { query: 'limit=1', form: 'object', partial: true } as const;

async function refused({ body }: PlainReply, refusal: StatusError): Promise<never> {
  // Read to its end, so that the members' parts are closed.
  if (body && !Buffer.isBuffer(body)) for await (const _ of body);
  throw refusal;
}

/** The form of an answer over many places: such answers are written by this server, and only as JSON. */
export function formOf(incoming: Incoming): Form {
  const form = jsonFormOf(incoming);
  if (form === undefined) throw notAcceptable(['application/json']);
  return form;
}

/** Whether a member may be missing from an answer (LIST-4). */
export const isPartial = (
  { partialLists }: Pick<MergeParts, 'partialLists'>,
  requestOptions: RequestOptions,
  form: Form,
): boolean => requestOptions.partial ?? (partialLists === 'always' || (partialLists === 'tables' && form === 'Table'));

/** In some views, a resource that every member refuses looks empty (ERR-3). */
export const withoutRefusals = ({ hidesRefusals }: View, reply: Promise<PlainReply>): Promise<PlainReply> =>
  hidesRefusals ? reply.catch(hideRefusal) : reply;

function hideRefusal(error: unknown): never {
  throw error instanceof StatusError && error.code === 403 ? noSuchResource() : error;
}
