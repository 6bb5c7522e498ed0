/** Finds the upstream of each place: as which user, over which connection, and whether it can be reached. */

import type { Headers, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { noSuchResource, StatusError } from '@fleet/kube/status.ts';
import type { User } from './authn/user.ts';
import type { Bodies } from './bodies/bodies.ts';
import type { CachedAsk } from './cache/cached-sources.ts';
import type { KnownObject } from './find/known-object.ts';
import type { GatewayParts } from './gateway.ts';
import { forwardedFor } from './http/hop-by-hop.ts';
import type { Incoming } from './http/message.ts';
import { impersonationForControlPlane, impersonationForMember } from './members/impersonation.ts';
import { passesToken, throughServiceProxy, tokenBehindProxy } from './members/kubesphere.ts';
import type { Line, Until } from './members/limited.ts';
import type { Member } from './members/member.ts';
import type { MemberRegistry } from './members/registry.ts';
import { LiveSource } from './merge/live-source.ts';
import type { NoList, Source } from './merge/source.ts';
import { isLongRunning } from './pass/long-running.ts';
import type { Route } from './pass/pass.ts';
import { notReady } from './pass/unanswered.ts';
import type { KnownKinds } from './present/asked-objects.ts';
import { isKapis } from './target/kapis.ts';
import { isKubeSphereCluster } from './target/owned-groups.ts';
import { type Ask, type ClusterName, karmada, type PlacelessTarget, type Target, wireUrl } from './target/target.ts';

const headDeadline = 5_000;

export interface PlacesOptions {
  /** Counts the requests to an upstream. */
  measured(cluster: ClusterName, upstream: Upstream): Upstream;
  /** Limits the requests in flight to an upstream (LIMIT-2). */
  limited(cluster: ClusterName, upstream: Upstream, until: Until, line?: Line): Upstream;
  /** Pages behind proxies are allowed to run with this server's origin (SEC-1). */
  openPages?: boolean;
  /** Reads of registered resources are answered from the cache, and writes to them are tracked (CACHE-7). */
  cached?: CachedPlaces;
}

export interface CachedPlaces {
  /** `live`: the source that answers what the cache cannot. */
  source(ask: CachedAsk, live: Source): Source;
  upstream(ask: CachedAsk, upstream: Upstream): Upstream;
  /** The upstream that answers a GET instead of the member, also while that is not ready; undefined if there is none. */
  gets(ask: CachedAsk): ((live: Upstream) => Upstream) | undefined;
  known(ask: CachedAsk, call: Pick<UpstreamCall, 'method' | 'path' | 'headers'>): KnownObject | undefined;
}

const plain: PlacesOptions = { measured: (_, upstream) => upstream, limited: (_, upstream) => upstream };

const uncached: CachedPlaces = {
  source: ({ cluster, target }, live) => (target.cacheOnly ? missing(cluster, notCached) : live),
  upstream: (_ask, upstream) => upstream,
  gets: () => undefined,
  known: () => undefined,
};

/** The control plane as clients see it, and the upstreams that answer for it for some resources. */
export interface ControlPlanePlace {
  upstream: Upstream;
  /** Serves KubeSphere's form of Clusters (KS-1). */
  face?: Upstream;
  /** The host cluster's ks-apiserver, for `/kapis` without a cluster (KS-3). */
  kubesphere?: { upstream: Upstream; passesToken: boolean } | undefined;
}

/** The upstream that answers, and the identity with which the request is sent. */
interface Answering {
  upstream: Upstream;
  identity: Headers;
}

function controlPlaneRoute(
  { upstream, face, kubesphere }: ControlPlanePlace,
  user: User,
  { ask }: Pick<Target, 'ask'>,
  { authorization }: Headers,
): Answering {
  const identity = impersonationForControlPlane(user);
  if (!isKapis(ask)) return { upstream: face && isKubeSphereCluster(ask) ? face : upstream, identity };
  if (!kubesphere) throw noSuchResource();
  return { upstream: kubesphere.upstream, identity: kubesphere.passesToken ? { authorization } : {} };
}

/** Sends `/kapis` to the ks-apiserver: to its endpoint, which knows no impersonation, or through the API server as the user. */
function memberRoute(
  member: Member,
  user: User,
  { ask }: Pick<Target, 'ask'>,
  { authorization }: Headers,
): { over: Upstream; identity: Headers } {
  const identity = impersonationForMember(user, member.cluster);
  if (!isKapis(ask)) return { over: member.impersonator, identity };
  const passes = passesToken(member.cluster) && authorization !== undefined;
  if (member.kubesphere) return { over: member.kubesphere, identity: passes ? { authorization } : {} };
  const token = passes ? tokenBehindProxy(authorization) : {};
  return { over: throughServiceProxy(member.impersonator), identity: { ...identity, ...token } };
}

export function createPlaces(
  controlPlane: ControlPlanePlace,
  members: MemberRegistry,
  bodies: Pick<Bodies, 'strip'>,
  kinds: KnownKinds,
  { measured, limited, openPages = false, cached = uncached }: PlacesOptions = plain,
): Pick<GatewayParts, 'routeTo' | 'sourceOf'> & Required<Pick<GatewayParts, 'knownAt'>> {
  /** The control plane as one more source of a merged view: its templates are listed beside the objects of members (NAME-5). */
  const controlPlaneSource = (user: User, target: PlacelessTarget, incoming: Asking): Source => {
    const { upstream, identity } = controlPlaneRoute(controlPlane, user, target, incoming.headers);
    const streams = measured(karmada, upstream);
    return new LiveSource({ cluster: karmada, upstream: streams, streams, ...asked(target, identity, incoming) });
  };

  return {
    routeTo(cluster, { user, target }, { headers }) {
      const strip: Route['strip'] = (body, signal) => bodies.strip(body, cluster, signal);
      if (cluster === karmada) {
        const to = controlPlaneRoute(controlPlane, user, target, headers);
        return {
          cluster,
          ready: true,
          upstream: measured(cluster, to.upstream),
          identity: to.identity,
          strip,
          kinds,
          openPages,
        };
      }
      const member = members.get(cluster);
      const { over, identity } = memberRoute(member, user, target, headers);
      const gets = cached.gets({ cluster, target, identity });
      const error = member.ready ? undefined : notReady(cluster, member.reason);
      if (error && !gets) throw error;
      const transport = measured(cluster, over);
      const waiting = isLongRunning(target) ? transport : limited(cluster, transport, 'read');
      const live = error ? failing(error) : cached.upstream({ cluster, target, identity }, waiting);
      const upstream = gets?.(live) ?? live;
      return { cluster, ready: member.ready, upstream, identity, strip, kinds, openPages };
    },
    knownAt(cluster, { user, target }, { headers }) {
      const identity = members.isActive(cluster) ? identityAt(members, cluster, user) : undefined;
      if (!identity || identity instanceof StatusError) return undefined;
      const { method } = target.wire;
      return cached.known({ cluster, target, identity }, { method, path: wireUrl(target.wire), headers });
    },
    sourceOf(cluster, { user, target }, { headers, remoteAddress }) {
      if (cluster === karmada && target.templates) return controlPlaneSource(user, target, { headers, remoteAddress });
      if (!members.isActive(cluster)) return leftOut(cluster);
      const identity = identityAt(members, cluster, user);
      if (identity instanceof StatusError) return refused(cluster, identity);
      const ask: CachedAsk = { cluster, target, identity };
      const reached = reach(members, cluster);
      if (typeof reached === 'string') return cached.source(ask, missing(cluster, reached));
      const streams = measured(cluster, reached);
      const live = new LiveSource({
        cluster,
        upstream: limited(cluster, streams, 'answered', isWatch(target.ask) ? 'watches' : 'requests'),
        streams,
        ...asked(target, identity, { headers, remoteAddress }),
      });
      return cached.source(ask, live);
    },
  };
}

type Asking = Pick<Incoming, 'headers' | 'remoteAddress'>;

/** What is read of a place, and as which user. */
const asked = (target: PlacelessTarget, identity: Headers, { headers, remoteAddress }: Asking) => ({
  path: resourcePath(target.wire.path),
  resource: target.ask.is === 'resource' ? target.ask : undefined,
  headers: {
    'user-agent': headers['user-agent'] ?? 'fleet',
    // Watches share streams, so a stream has no client address.
    ...(isLongRunning(target) ? {} : forwardedFor(remoteAddress)),
    ...identity,
  },
  headDeadline,
});

const isWatch = (ask: Ask): boolean => ask.is === 'resource' && ask.verb === 'watch';

/** Watches once had a path of their own, which is also a list. */
const resourcePath = (path: string): string => path.replace(/^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/watch\//, '$1/');

/** The connection to a member, or the reason why there is none. Nothing is sent to a member that is known to be unreachable. */
function reach(members: MemberRegistry, cluster: ClusterName): Upstream | string {
  try {
    const member = members.get(cluster);
    return member.ready ? member.impersonator : member.reason;
  } catch (error) {
    // A cluster that a selector names and that does not exist is an error, not an unreachable member.
    if (error instanceof StatusError && error.code === 404) throw error;
    return 'has no credential';
  }
}

/** The impersonation headers, or an error if this member cannot know the user. Other members may. */
function identityAt(members: MemberRegistry, cluster: ClusterName, user: User): Headers | StatusError {
  try {
    return impersonationForMember(user, members.cluster(cluster));
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

const notCached = 'is not in the cache yet';

/** The source of a member to which nothing is sent: only its objects in the cache can be an answer. */
const failing = (error: StatusError): Upstream => ({
  call: () => Promise.reject(error),
  upgrade: () => Promise.reject(error),
  [Symbol.asyncDispose]: async () => {},
});

/** A member that is switched off is left out without a warning (KS-2). */
const leftOut = (cluster: ClusterName): Source => answering(cluster, { is: 'absent' });

const refused = (cluster: ClusterName, error: StatusError): Source => answering(cluster, { is: 'refused', error });

const missing = (cluster: ClusterName, reason: string): Source => answering(cluster, { is: 'missing', reason });

const answering = (cluster: ClusterName, answer: NoList): Source => ({
  cluster,
  list: async () => answer,
  watch: async () => answer,
  canWatch: async () => answer,
  hasLost: async () => false,
});
