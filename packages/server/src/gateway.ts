/** The way of one request. Each step needs what the steps above made. */

import { jsonForm } from '@fleet/kube/negotiate.ts';
import { methodNotAllowed, noSuchResource, notAcceptable, notOneObject } from '@fleet/kube/status.ts';
import { warningHeader } from '@fleet/kube/warning.ts';
import { impersonated } from './authn/impersonate.ts';
import type { User } from './authn/user.ts';
import type { AccessReviewer } from './authz/access-review.ts';
import type { Authorizer, Granted } from './authz/authorize.ts';
import { find } from './find/find.ts';
import { compressed } from './http/gzip.ts';
import type { Incoming, Reply } from './http/message.ts';
import type { ByteBudget } from './merge/byte-budget.ts';
import { mergeList } from './merge/merge-list.ts';
import type { PageTokens } from './merge/page-token.ts';
import type { Missing } from './merge/settle.ts';
import type { Source } from './merge/source.ts';
import { pass, type Route } from './pass/pass.ts';
import { completeTarget } from './target/complete.ts';
import { parseTarget } from './target/parse.ts';
import type { ClusterName, Target } from './target/target.ts';

export interface GatewayParts {
  authenticator: { authenticate(incoming: Incoming): Promise<User> };
  reviews: AccessReviewer;
  authorizer: Authorizer;
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
    const target = completeTarget(parsed);
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
      default:
        return granted.place satisfies never;
    }
  };

async function passFound(
  parts: GatewayParts,
  granted: Granted,
  clusters: readonly ClusterName[],
  incoming: Incoming,
): Promise<Reply> {
  const { ask, wire } = granted.target;
  // Only named requests for resources are placed so.
  if (ask.is !== 'resource') throw noSuchResource();
  const routeTo = (cluster: ClusterName) => parts.routeTo(cluster, granted);
  const { cluster, warnings } = await find({ ask, method: wire.method, clusters, routeTo, signal: incoming.signal });
  const reply = await pass(routeTo(cluster), granted.target, incoming);
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
  const reply = await mergeList(
    clusters.map((cluster) => parts.sourceOf(cluster, granted, incoming)),
    {
      path: wire.path,
      query: wire.query,
      form,
      shape: { suffixed: view.names === 'name-suffixed', isEvent: ask.resource === 'events' },
      partial: wishes.partial ?? byDefault,
      budget: parts.listBudget,
      pageTokens: parts.pageTokens,
      signal: incoming.signal,
      onMissing: parts.onMissing,
    },
  );
  return compressed(reply, incoming.headers);
}
