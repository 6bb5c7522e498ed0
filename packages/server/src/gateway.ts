/** The way of one request. Each step needs what the steps above made. */

import { jsonForm } from '@fleet/kube/negotiate.ts';
import { applyPatch } from '@fleet/kube/request-body.ts';
import { methodNotAllowed, noSuchResource, notAcceptable, notOneObject, StatusError } from '@fleet/kube/status.ts';
import { warningHeader } from '@fleet/kube/warning.ts';
import { impersonated } from './authn/impersonate.ts';
import type { User } from './authn/user.ts';
import type { AccessReviewer } from './authz/access-review.ts';
import type { Authorizer, Granted } from './authz/authorize.ts';
import { onlyOne, seek } from './find/find.ts';
import { compressed } from './http/gzip.ts';
import type { Incoming, Reply } from './http/message.ts';
import { readBody } from './http/read-body.ts';
import type { ByteBudget } from './merge/byte-budget.ts';
import { mergeList } from './merge/merge-list.ts';
import type { PageTokens } from './merge/page-token.ts';
import type { Missing } from './merge/settle.ts';
import type { Source } from './merge/source.ts';
import { pass, type Route } from './pass/pass.ts';
import { review } from './reviews/review.ts';
import { completeTarget } from './target/complete.ts';
import { mustNameCluster } from './target/must-name-cluster.ts';
import { parseTarget } from './target/parse.ts';
import type { ClusterName, RawBody, Target } from './target/target.ts';

export interface GatewayParts {
  authenticator: { authenticate(incoming: Incoming): Promise<User> };
  reviews: AccessReviewer;
  authorizer: Authorizer;
  /** Whether there is a cluster of that name. */
  isCluster(name: string): boolean;
  /** The way to one place, as the user. Throws if there is none (NAME-8). */
  routeTo(cluster: ClusterName, granted: Granted): Route;
  sourceOf(cluster: ClusterName, granted: Granted, incoming: Incoming): Source;
  /** What the product answers itself. */
  answerHere(granted: Granted, incoming: Incoming): Promise<Reply>;
  partialLists: 'tables' | 'always' | 'never';
  listBudget: ByteBudget;
  pageTokens: PageTokens;
  onMissing(missing: Missing): void;
  /** Told who a request comes from, before that one becomes somebody else. */
  onCaller(incoming: Incoming, caller: User): void;
  /** Told once a request's target is known, for log and limits: what it throws is the answer. */
  onTarget(incoming: Incoming, target: Target, user: User): void;
}

export const createGateway =
  (parts: GatewayParts) =>
  async (incoming: Incoming): Promise<Reply> => {
    const parsed = parseTarget(incoming.method, incoming.url);
    const caller = await parts.authenticator.authenticate(incoming);
    parts.onCaller(incoming, caller);
    const user = await impersonated(caller, incoming.headers, parts.reviews);
    const body = parsed.mentions && (await rawBody(incoming));
    const target = completeTarget(parsed, body, parts.isCluster);
    parts.onTarget(incoming, target, user);
    const granted = await parts.authorizer.authorize(user, target);
    switch (granted.place.at) {
      case 'here':
        return compressed(await parts.answerHere(granted, incoming), incoming.headers);
      case 'one':
        return pass(parts.routeTo(granted.place.cluster, granted), target, incoming);
      case 'found':
        return passFound(parts, granted, granted.place.clusters, incoming);
      case 'many':
        return merge(parts, granted, granted.place.clusters, incoming);
      case 'review':
        return review({ ...granted.place, target, routeTo: (cluster) => parts.routeTo(cluster, granted), incoming });
      default:
        return granted.place satisfies never;
    }
  };

async function rawBody(incoming: Incoming): Promise<RawBody | undefined> {
  if (!incoming.body) return undefined;
  const [contentType] = [incoming.headers['content-type']].flat();
  return { bytes: await readBody(incoming), contentType };
}

async function passFound(
  parts: GatewayParts,
  granted: Granted,
  clusters: readonly ClusterName[],
  incoming: Incoming,
): Promise<Reply> {
  const { target } = granted;
  const { ask, wire, place, body } = target;
  // Only named requests for resources are placed so.
  if (ask.is !== 'resource') throw noSuchResource();
  const routeTo = (cluster: ClusterName) => parts.routeTo(cluster, granted);
  const request = { ask, method: wire.method, clusters, routeTo, signal: incoming.signal };
  const sought = await seek(request);
  const isElsewhere = sought.having.length > 1 || sought.having.length + sought.silent.length === 0;
  if (place.at === 'found' && place.otherwise && isElsewhere) {
    return merge(parts, { ...granted, target: { ...target, view: place.otherwise } }, clusters, incoming);
  }
  // An apply would make what is nowhere yet.
  if (isElsewhere && sought.having.length === 0 && body?.read?.contentType === applyPatch)
    throw mustNameCluster(wire.path);
  const { cluster, warnings } = onlyOne(request, sought);
  const reply = await pass(routeTo(cluster), target, incoming);
  if (warnings.length === 0) return reply;
  const warning = [...[reply.headers['warning'] ?? []].flat(), ...warnings.map(warningHeader)];
  return { ...reply, headers: { ...reply.headers, warning } };
}

async function merge(
  parts: GatewayParts,
  granted: Granted,
  clusters: readonly ClusterName[],
  incoming: Incoming,
): Promise<Reply> {
  const { ask, wire, view, wishes } = granted.target;
  if (ask.is !== 'resource' || ask.verb !== 'list') {
    const verb = ask.is === 'resource' ? ask.verb : wire.method;
    throw methodNotAllowed(`${verb} is not supported over many clusters: use /clusterspaces/{cluster} for one of them`);
  }
  const { accept } = incoming.headers;
  const form = jsonForm(accept === undefined ? undefined : [accept].flat().join(','));
  if (form === undefined) throw notAcceptable(['application/json']);
  if (form === 'PartialObjectMetadata') throw notOneObject();
  const byDefault = parts.partialLists === 'always' || (parts.partialLists === 'tables' && form === 'Table');
  const list = mergeList(
    clusters.map((cluster) => parts.sourceOf(cluster, granted, incoming)),
    {
      path: wire.path,
      query: wire.query,
      form,
      shape: { view, isEvent: ask.resource === 'events' },
      partial: wishes.partial ?? byDefault,
      budget: parts.listBudget,
      pageTokens: parts.pageTokens,
      signal: incoming.signal,
      onMissing: parts.onMissing,
    },
  );
  const reply = await (view.hidesRefusals ? list.catch(hideRefusal) : list);
  return compressed(reply, incoming.headers);
}

function hideRefusal(error: unknown): never {
  throw error instanceof StatusError && error.code === 403 ? noSuchResource() : error;
}
