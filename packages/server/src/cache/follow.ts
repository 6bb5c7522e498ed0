/** Assembles the cache, and keeps it up to date with ResourceRegistries and members (CACHE-4). */

import { createHash } from 'node:crypto';
import { machineClock } from '@fleet/client/clock.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { perObject } from '@fleet/kube/per-object.ts';
import type { Logger } from 'pino';
import type { Cluster } from '../members/cluster.ts';
import { type Member, routeOf } from '../members/member.ts';
import type { MemberRegistry } from '../members/registry.ts';
import type { ResourceRegistries } from '../registries/registries.ts';
import { feedsOf } from '../registries/wants.ts';
import type { ClusterName } from '../target/target.ts';
import type { LiveReason } from './cached-feed.ts';
import { CachedObjects } from './cached-objects.ts';
import type { RegisteredFeed } from './cached-resource.ts';
import { CachedSources } from './cached-sources.ts';
import { MemberPermissions } from './member-permissions.ts';
import { OwnWrites } from './own-writes.ts';
import { ResourceCache } from './resource-cache.ts';
import { canDeny, type ReviewedMember } from './reviewed-member.ts';

export interface CacheParts {
  members: MemberRegistry;
  registries: ResourceRegistries;
  /** Calls `described` when OpenAPI documents of a member have changed. Returns a function that unsubscribes. */
  onDescribed(described: (cluster: ClusterName, documents: ReadonlySet<string>) => void): () => void;
  /** In bytes. */
  memory: number;
  views: 'all' | 'aggregation';
  onCached(cluster: ClusterName): void;
  onLive(cluster: ClusterName, reason: LiveReason): void;
  /** An access review was sent to a member. */
  onReview(outcome: string): void;
  log: Logger;
}

export interface FollowedCache extends AsyncDisposable {
  cache: ResourceCache;
  sources: CachedSources;
  objects: CachedObjects;
  /** How many allowed access reviews are kept. */
  keptPermissions(): number;
}

export function followCache(parts: CacheParts): FollowedCache {
  const { members, registries, onDescribed, memory, views, onCached, onLive, onReview, log } = parts;
  const memberNow = (cluster: ClusterName) => members.connected(cluster);
  const cache = new ResourceCache({
    memory,
    memberOf: (cluster) => ({
      // Few requests need it, but every request checks readiness.
      get control() {
        return controlOf(cluster, memberNow);
      },
      isReady: () => memberNow(cluster)?.ready ?? false,
    }),
    log,
  });
  const permissions = new MemberPermissions({
    clock: machineClock,
    onReview,
    memberOf: (cluster) => reviewed(memberNow(cluster), cache),
  });
  const ownWrites = new OwnWrites({ now: () => performance.now() });
  const isRemoved = ({ cluster, member }: RegisteredFeed) => members.uidInView(cluster) !== uidIn(member);
  const follow = () => cache.want(registeredFeeds(registries, members), isRemoved);
  const identityNow = (name: ClusterName) => {
    const cluster = members.cluster(name);
    return cluster && members.uidInView(name) !== undefined ? memberIdentityOf(cluster) : undefined;
  };
  const identities = new Map<ClusterName, string | undefined>();
  const checkIdentity = (name: ClusterName) => {
    const [before, now] = [identities.get(name), identityNow(name)];
    if (before === now) return;
    identities.set(name, now);
    if (now === undefined) identities.delete(name);
    follow();
    // After `follow`: it marks the feeds of a removed member, whose watches must not be reviewed again.
    if (before !== undefined) permissions.forget(before);
  };
  const seen = ({ metadata }: Cluster) => checkIdentity(metadata.name);
  const unsubscribe = onDescribed((cluster, documents) =>
    cache.described(cluster, (apiVersion) => documents.has(`apis/${apiVersion}`)),
  );
  registries.events.on('changed', follow);
  members.events.on('joined', follow);
  members.events.on('seen', seen);
  members.events.on('gone', checkIdentity);
  for (const { metadata } of members.allClusters()) identities.set(metadata.name, identityNow(metadata.name));
  follow();
  const shared = { cache, permissions, ownWrites, views, onCached, onLive };
  return {
    cache,
    sources: new CachedSources(shared),
    objects: new CachedObjects(shared),
    keptPermissions: () => permissions.kept,
    async [Symbol.asyncDispose]() {
      registries.events.off('changed', follow);
      unsubscribe();
      members.events.off('joined', follow);
      members.events.off('seen', seen);
      members.events.off('gone', checkIdentity);
      permissions[Symbol.dispose]();
      await cache[Symbol.asyncDispose]();
    },
  };
}

/** Uses the connection that the member has at the time of each request: credentials may be rotated (CLU-4). */
function controlOf(cluster: ClusterName, memberNow: (cluster: ClusterName) => Member | undefined): Upstream {
  const now = (): Upstream => {
    const member = memberNow(cluster);
    if (!member) throw new Error(`cluster "${cluster}" has no connection`);
    return member.control;
  };
  return {
    call: async (call) => now().call(call),
    upgrade: async (call) => now().upgrade(call),
    [Symbol.asyncDispose]: async () => {},
  };
}

function reviewed(member: Member | undefined, cache: ResourceCache): ReviewedMember | undefined {
  if (!member) return undefined;
  const { cluster, impersonator, ready } = member;
  return {
    id: memberIdentityOf(cluster),
    impersonator,
    ready,
    rbac: cache.rbacOf(memberIdentityOf(cluster)),
    canDeny: canDeny(cluster),
  };
}

/**
 * A cluster that was recreated under the same name, or that is reached on another route now, is a different one. The route is hashed, as
 * it may contain a password.
 */
export const memberIdentityOf = perObject((cluster: Cluster): string => {
  const route = createHash('sha256').update(JSON.stringify(routeOf(cluster)));
  return JSON.stringify([cluster.metadata.uid, route.digest('base64')]);
});

const uidIn = (identity: string): string => (JSON.parse(identity) as [string?])[0] ?? '';

function registeredFeeds({ wants }: ResourceRegistries, members: MemberRegistry): RegisteredFeed[] {
  return [...feedsOf(wants)].flatMap((feed) => {
    const { cluster, group, version, resource, kind, namespaced, namespaces, prunesManagedFields } = feed;
    const known = members.cluster(cluster);
    if (!known || members.uidInView(cluster) === undefined) return [];
    const member = memberIdentityOf(known);
    const within: (string | undefined)[] = namespaces ? [...namespaces] : [undefined];
    return within.map((namespace) => ({
      // Pruned objects differ from whole ones: a change of `prune` makes a new feed, which is filled again.
      id: JSON.stringify([
        member,
        group,
        version,
        resource,
        namespace ?? null,
        ...(prunesManagedFields ? ['pruned'] : []),
      ]),
      cluster,
      member,
      group,
      version,
      resource,
      kind,
      namespaced,
      namespace,
      prunesManagedFields,
    }));
  });
}
