/** Handles one request, from its URL to its answer. Each step needs the result of the steps above it. */

import { atControlPlane } from './at-control-plane.ts';
import type { User } from './authn/user.ts';
import type { AccessReviewer } from './authz/access-review.ts';
import type { Authorizer, Granted } from './authz/authorize.ts';
import { impersonated } from './authz/impersonate.ts';
import { type BodyAuthorizer, isLargeBody } from './authz/large-body.ts';
import type { Bodies } from './bodies/bodies.ts';
import type { KnownObject } from './find/known-object.ts';
import { passFound } from './find/pass-found.ts';
import { passTemplate } from './find/pass-template.ts';
import { compressed } from './http/gzip.ts';
import type { Incoming, Reply } from './http/message.ts';
import { readBody } from './http/read-body.ts';
import { askedSource } from './merge/asked-source.ts';
import { type MergeParts, merge } from './merge/merge.ts';
import { positionsOf } from './merge/positions.ts';
import { withoutRemoved } from './merge/removed-members.ts';
import type { Source } from './merge/source.ts';
import { pass, type Route } from './pass/pass.ts';
import { askedObjects } from './present/asked-objects.ts';
import { review } from './reviews/review.ts';
import { completeTarget } from './target/complete.ts';
import { parseTarget } from './target/parse.ts';
import type { Registrations } from './target/registered.ts';
import {
  type AskedTarget,
  type ClusterName,
  karmada,
  type PlacelessTarget,
  type RawBody,
  type View,
} from './target/target.ts';
import { mergeWatch, type WatchParts } from './watch/merge-watch.ts';
import type { UnregisteredWatches } from './watch/unregistered-watches.ts';

export interface GatewayParts extends MergeParts, WatchParts {
  authenticator: { authenticate(incoming: Incoming): Promise<User> };
  reviews: AccessReviewer;
  authorizer: Authorizer;
  bodyAuthorizer: BodyAuthorizer;
  bodies: Pick<Bodies, 'read'>;
  /** Whether federation is on. */
  templates?: boolean;
  /** What ResourceRegistries select; empty if there are none. */
  registrations?: Registrations;
  /** Ends watches of resources that are registered meanwhile. */
  unregistered?: UnregisteredWatches;
  /** Whether a cluster of that name exists. */
  isCluster(name: string): boolean;
  /** The upstream of one place, as the user. Throws if there is none (NAME-8). */
  routeTo(cluster: ClusterName, granted: Pick<Granted, 'user' | 'target'>, incoming: Pick<Incoming, 'headers'>): Route;
  /** What the cache knows of the object that a request names in that cluster; undefined where the member has to be asked (CACHE-8). */
  knownAt?(
    cluster: ClusterName,
    granted: Pick<Granted, 'user' | 'target'>,
    incoming: Incoming,
  ): KnownObject | undefined;
  sourceOf(cluster: ClusterName, granted: Pick<Granted, 'user' | 'target'>, incoming: Incoming): Source;
  /** Whether a write by plain name is refused. Otherwise the member that has the object is looked up. */
  requireCluster: boolean;
  /** Adds warnings about an accepted object to the answer of one place. */
  warned(cluster: ClusterName, target: PlacelessTarget, reply: Reply): Promise<Reply>;
  /** Answers what the product itself serves. */
  answerItself(granted: Pick<Granted, 'target'>, incoming: Incoming): Promise<Reply>;
  /** Called with the authenticated user, before impersonation. */
  onCaller(incoming: Incoming, caller: User): void;
  /** Called with the request's target before its body is read, and again if the body has completed the target. */
  onTarget(incoming: Incoming, target: AskedTarget, user: User): void;
  /** Called before the body takes memory. An error that it throws is the answer (LIMIT-1). */
  admit(incoming: Incoming, target: AskedTarget): void | Promise<void>;
}

export const createGateway =
  (parts: GatewayParts) =>
  async (incoming: Incoming): Promise<Reply> => {
    const parsed = parseTarget(incoming.method, incoming.url, parts.registrations, parts.templates);
    const caller = await parts.authenticator.authenticate(incoming);
    parts.onCaller(incoming, caller);
    const user = await impersonated(caller, incoming.headers, parts.reviews);
    parts.onTarget(incoming, parsed, user);
    await parts.admit(incoming, parsed);
    if (parsed.mentions && isLargeBody(incoming)) await parts.bodyAuthorizer.authorizeBody(user, parsed);
    const raw = parsed.mentions && (await rawBody(incoming));
    const body = raw && (await parts.bodies.read(parsed, raw, incoming.signal));
    const completed = completeTarget(parsed, body, parts.isCluster, parts.registrations);
    parts.onTarget(incoming, completed, user);
    const granted = await parts.authorizer.authorize(user, completed);
    const { place, target, scope, clustersNow } = granted;
    const routeTo = (cluster: ClusterName) => parts.routeTo(cluster, granted, incoming);
    const asked = askedObjects(target.ask, parts.kinds);
    const sourceOf = (cluster: ClusterName) => askedSource(parts.sourceOf(cluster, granted, incoming), asked);
    const merged = (granted: readonly ClusterName[], view: View) =>
      withoutRemoved({ clusters: granted, sourceOf, clustersNow }, (clusters) => {
        const ask = { target: { ...target, view }, clusters, sourceOf, incoming };
        const { ask: asked } = target;
        if (asked.is === 'resource' && asked.verb === 'watch') {
          return mergeWatch(parts, { ...ask, user, scope, clustersNow }, asked);
        }
        return merge(parts, ask);
      });
    switch (place.at) {
      case 'here':
        return compressed(await parts.answerItself(granted, incoming), incoming.headers);
      case 'one':
        return parts.warned(
          place.cluster,
          target,
          await untilRegistered(parts.unregistered, target, incoming, (incoming) =>
            pass(routeTo(place.cluster), sentTo(place.cluster, target), incoming),
          ),
        );
      case 'found':
        return passFound({
          ...place,
          target,
          requireCluster: parts.requireCluster,
          routeTo,
          lookIn: (cluster, looking) => parts.routeTo(cluster, { user, target: looking }, incoming),
          knownAt: (cluster, asked) => parts.knownAt?.(cluster, { user, target: asked }, incoming),
          merged: (view) => merged(place.clusters, view),
          positionsBy: (listed) => {
            const listing = (cluster: ClusterName) => parts.sourceOf(cluster, { user, target: listed }, incoming);
            return positionsOf(place.clusters, listing, incoming.signal);
          },
          incoming,
        });
      case 'template': {
        const reply = await passTemplate({
          ...place,
          target: atControlPlane(target),
          routeTo,
          lookIn: (cluster, looking) => parts.routeTo(cluster, { user, target: looking }, incoming),
          incoming,
        });
        return parts.warned(karmada, target, reply);
      }
      case 'many':
        return merged(place.clusters, target.view);
      case 'review':
        return review({ ...place, target, routeTo, incoming });
      default:
        return place satisfies never;
    }
  };

const untilRegistered = (
  watches: UnregisteredWatches | undefined,
  { ask, unregistered }: PlacelessTarget,
  incoming: Incoming,
  send: (incoming: Incoming) => Promise<Reply>,
): Promise<Reply> =>
  watches && unregistered && ask.is === 'resource' ? watches.pass(ask, incoming, send) : send(incoming);

const sentTo = (cluster: ClusterName, target: PlacelessTarget): PlacelessTarget =>
  cluster === karmada ? atControlPlane(target) : target;

async function rawBody(incoming: Incoming): Promise<RawBody | undefined> {
  if (!incoming.body) return undefined;
  const [contentType] = [incoming.headers['content-type']].flat();
  return { bytes: await readBody(incoming), contentType };
}
