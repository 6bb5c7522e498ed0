/** Decides which places a user is allowed to reach. Only the places that `authorize` returns can be served. */

import { forbidden, noSuchResource, notFound, qualified, StatusError } from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import { isKapis } from '../target/kapis.ts';
import { isKubeSphereCluster } from '../target/owned-groups.ts';
import { nothingRegistered, type Registrations } from '../target/registered.ts';
import {
  type Ask,
  type ClusterName,
  karmada,
  type Place,
  type PlacelessTarget,
  type RequiredPermission,
  type Reviewed,
  type Target,
  type View,
} from '../target/target.ts';
import type { AccessReviewer } from './access-review.ts';

/** The only input of the later steps: the requested place is not passed on. */
export interface Granted {
  user: User;
  target: PlacelessTarget;
  place: GrantedPlace;
  /** Equal for requests for the same clusters, whichever of them were granted. */
  scope: string;
  /** The clusters that the same request would be granted now, by decisions at most 2 s old. */
  clustersNow(): Promise<readonly ClusterName[]>;
}

export type GrantedPlace =
  | { at: 'here' }
  | { at: 'one'; cluster: ClusterName }
  | { at: 'many'; clusters: readonly ClusterName[] }
  | { at: 'found'; clusters: readonly ClusterName[]; otherwise?: View }
  /** `members`: those whose names the user is allowed to see (FED-39). */
  | { at: 'template'; members(): Promise<readonly ClusterName[]> }
  | { at: 'review'; review: Reviewed; permissions: ReviewPermissions };

/** By cluster, the verbs for which its decision counts. */
export type ReviewPermissions = ReadonlyMap<ClusterName, ReadonlySet<string>>;

export interface Authorizer {
  /** Throws 403. `maxAge`: how old cached decisions may be, in milliseconds; without it the cache's own limit applies (AUTHZ-2). */
  authorize(user: User, target: Target, maxAge?: number): Promise<Granted>;
}

const groupOf = ({ resource }: RequiredPermission): string =>
  resource === 'proxying/proxy' || resource === 'search' ? 'search.karmada.io' : 'cluster.karmada.io';

/** `name`: the cluster's name, for permissions on clusters. */
export const attributesOf = (permission: RequiredPermission, name: string) => {
  const [resource = '', subresource] = permission.resource.split('/');
  const attributes = { verb: permission.verb, group: groupOf(permission), resource, name: permission.name ?? name };
  return { resource: { ...attributes, ...(subresource ? { subresource } : {}) } };
};

/** `openPaths`: paths of the product itself that need no authorisation, as kube-apiserver's `--authorization-always-allow-paths`. */
export function createAuthorizer(
  reviews: AccessReviewer,
  members: () => readonly ClusterName[],
  openPaths: ReadonlySet<string> = new Set(),
  registrations: Registrations = nothingRegistered,
): Authorizer {
  /** RBAC has no wildcard in resourceNames, so all clusters at once are reviewed first, by the name `*`. */
  const reachableBy = async (
    user: User,
    permission: RequiredPermission,
    clusters: readonly ClusterName[],
    maxAge?: number,
  ): Promise<ClusterName[]> => {
    if (await reviews.isAllowed(user, attributesOf(permission, '*'), maxAge)) return [...clusters];
    if (permission.name !== undefined) return [];
    const answers = await Promise.all(
      clusters.map((cluster) => reviews.isAllowed(user, attributesOf(permission, cluster), maxAge)),
    );
    return clusters.filter((_, index) => answers[index]);
  };

  const reachable: typeof reachableBy = async (user, permission, clusters, maxAge) => {
    const reached = await reachableBy(user, permission, clusters, maxAge);
    if (!permission.also || reached.length === 0) return reached;
    return reachableBy(user, { ...permission, verb: permission.also }, reached, maxAge);
  };

  /** All existing places: the members, and the control plane where its objects are listed beside theirs. */
  const places = ({ templates }: Pick<Target, 'templates'>): readonly ClusterName[] =>
    templates ? [...members(), karmada].sort() : members();

  /** The control plane authorises its own requests (AUTHZ-2). */
  const reachablePlaces = async (
    user: User,
    { templates }: Pick<Target, 'templates'>,
    permission: RequiredPermission,
    clusters: readonly ClusterName[],
    maxAge?: number,
  ): Promise<readonly ClusterName[]> => {
    if (!templates || !clusters.includes(karmada)) return reachable(user, permission, clusters, maxAge);
    const others = clusters.filter((cluster) => cluster !== karmada);
    const reached = new Set(others.length === 0 ? [] : await reachable(user, permission, others, maxAge));
    return clusters.filter((cluster) => cluster === karmada || reached.has(cluster));
  };

  /** The error names the missing verb. */
  const refused = async (
    user: User,
    permission: RequiredPermission,
    clusters: readonly ClusterName[],
    named: ClusterName | undefined,
  ) => {
    const lacksSecond = permission.also && (await reachableBy(user, permission, clusters)).length > 0;
    return refusal(user, lacksSecond ? { ...permission, verb: permission.also! } : permission, named);
  };

  /** A member's "allowed" does not count if the subject of the review cannot reach that member (AUTHZ-4). */
  const reviewPermissions = async (user: User, target: Target, review: Reviewed): Promise<ReviewPermissions> => {
    const { verbs, subject, clusters: asked, among } = review;
    const requested = requestedClusters({ at: 'many', clusters: asked }, places(target));
    const clusters = among ? [...new Set(requested).intersection(new Set(among))] : requested;
    // A review about somebody else needs the permission for it; a review about oneself needs none.
    if (subject && (await reachablePlaces(user, target, target.permission, clusters)).length === 0)
      throw refusal(user, target.permission, asked.only?.[0]);
    const about: User = subject ? { ...subject, origin: 'other' } : user;
    const reached = await Promise.all(
      verbs.map(({ permission }) => reachablePlaces(about, target, permission, clusters)),
    );
    const verbsOf = (cluster: ClusterName) => verbs.filter((_, index) => reached[index]?.includes(cluster));
    return new Map(clusters.map((cluster) => [cluster, new Set(verbsOf(cluster).map(({ verb }) => verb))]));
  };

  /** The aggregation family needs its own permission for every request, also for the control plane's objects. */
  const enter = async (user: User, permission: RequiredPermission, maxAge?: number): Promise<void> => {
    if (permission.name === undefined) return;
    for (const verb of permission.also ? [permission.verb, permission.also] : [permission.verb]) {
      if (!(await reviews.isAllowed(user, attributesOf({ ...permission, verb }, ''), maxAge)))
        throw refusal(user, { ...permission, verb }, undefined);
    }
  };

  /** The control plane authorises its own requests, except those that the product answers itself. */
  const enterControlPlane = async (user: User, { ask, wire }: Target): Promise<void> => {
    if (isKapis(ask)) {
      const [verb, path] = [wire.method.toLowerCase(), wire.path];
      if (await reviews.isAllowed(user, { path: { verb, path } })) return;
      throw forbidden(`forbidden: User "${user.name}" cannot ${verb} path "${path}"`);
    }
    if (ask.is !== 'resource' || !isKubeSphereCluster(ask)) return;
    refuseOtherPath(ask, wire.path);
    const { verb, group, resource, name, subresource } = ask;
    const attributes = { verb, group, resource, ...(name ? { name } : {}), ...(subresource ? { subresource } : {}) };
    if (await reviews.isAllowed(user, { resource: attributes })) return;
    const named = name ? ` "${name}"` : '';
    throw forbidden(
      `${qualified(ask)}${named} is forbidden: User "${user.name}" cannot ${verb} resource "${[resource, subresource].filter(Boolean).join('/')}" in API group "${group}" at the cluster scope`,
      ask,
      name,
    );
  };

  /** The clusters in which the resource is registered. A cluster that does not exist is kept, so that it is reported. */
  const registeredOf = (clusters: readonly ClusterName[], { ask, registered }: Target): readonly ClusterName[] => {
    if (!registered || ask.is !== 'resource') return clusters;
    const [known, where] = [new Set(members()), registrations.clustersOf(ask)];
    return clusters.filter((cluster) => where.has(cluster) || !known.has(cluster));
  };

  const grantedPlace = async (user: User, target: Target, maxAge?: number): Promise<GrantedPlace> => {
    const { place, permission, ask, wire, view } = target;
    await enter(user, permission, maxAge);
    switch (place.at) {
      case 'here': {
        const path = ask.is === 'path' ? ask.path : wire.path;
        if (openPaths.has(path) || (await reviews.isAllowed(user, { path: { verb: permission.verb, path } })))
          return place;
        throw forbidden(`forbidden: User "${user.name}" cannot ${permission.verb} path "${path}"`);
      }
      case 'one': {
        if (place.cluster === karmada) {
          await enterControlPlane(user, target);
          return place;
        }
        if (registeredOf([place.cluster], target).length === 0) throw notRegistered(ask, place.cluster);
        const [cluster] = await reachable(user, permission, [place.cluster]);
        if (cluster !== undefined) return { at: 'one', cluster };
        throw await refused(user, permission, [place.cluster], place.cluster);
      }
      case 'many':
      case 'found': {
        const requested = registeredOf(requestedClusters(place, places(target)), target);
        const clusters = await reachablePlaces(user, target, permission, requested, maxAge);
        // A fleet without members is empty, not forbidden.
        if (clusters.length === 0 && requested.length > 0)
          throw view.hidesRefusals ? unseen(ask) : await refused(user, permission, requested, undefined);
        if (clusters.includes(karmada)) await enterControlPlane(user, target);
        return { ...place, clusters };
      }
      case 'template':
        await enterControlPlane(user, target);
        return { at: 'template', members: () => reachable(user, toLook(permission), members()) };
      case 'review':
        return { at: 'review', review: place, permissions: await reviewPermissions(user, target, place) };
      default:
        return place satisfies never;
    }
  };

  const authorize = async (user: User, requested: Target, maxAge?: number): Promise<Granted> => {
    const { place, permission, ...target } = requested;
    const granted = await grantedPlace(user, requested, maxAge);
    const narrowing = narrowingOf(requested, registrations);
    const clustersNow = async () => {
      // Other namespaces are registered now, so the objects sent in the stream are no longer the current ones.
      if (narrowingOf(requested, registrations) !== narrowing) return [];
      return grantedPlace(user, requested, maxAgeOfOpenStreams).then(clustersOf, noneIfRefused);
    };
    return { user, target, place: granted, scope: JSON.stringify([place, narrowing]), clustersNow };
  };

  return { authorize };
}

/** The permission was checked for a parsed path. A path that could be parsed differently, by `//` or `%2F`, is refused (URL-8). */
function refuseOtherPath({ group, version, resource, rest }: Ask & { is: 'resource' }, path: string): void {
  const [, root, , , ...segments] = path.split('/');
  const [first, second = ''] = segments[0] === 'watch' ? segments.slice(1) : segments;
  const isPlain = path.startsWith(`/apis/${group}/${version}/`) && root === 'apis' && first === resource;
  if (!isPlain || /%2f|%5c/i.test(second) || rest.length > 0) throw noSuchResource();
}

/** Objects are looked up in members with GET, whatever verb the request has in the control plane. */
function toLook({ also: _also, ...permission }: RequiredPermission): RequiredPermission {
  return { ...permission, verb: 'get' };
}

/** A request within one namespace gets all of it or nothing, so it is never narrowed. */
const narrowingOf = ({ ask, registered }: Target, registrations: Registrations): string =>
  registered && ask.is === 'resource' && ask.namespace === undefined ? registrations.narrowing(ask) : '';

/** Only registered resources exist at the aggregation endpoint (CACHE-7). */
function notRegistered(ask: Ask, cluster: ClusterName): StatusError {
  if (ask.is === 'resource' && ask.name !== undefined && ask.verb !== 'create') return notFound(ask, ask.name);
  const { group, resource } = ask.is === 'resource' ? ask : { group: '', resource: '' };
  const message = `${qualified({ group, resource })} of cluster "${cluster}" are not registered`;
  return new StatusError(404, 'NotFound', message, { ...(group ? { group } : {}), kind: resource });
}

/** In milliseconds: the greatest age of a decision that keeps an open stream open. */
const maxAgeOfOpenStreams = 2_000;

const clustersOf = (place: GrantedPlace): readonly ClusterName[] => ('clusters' in place ? place.clusters : []);

/** If the request is forbidden altogether, no cluster is granted. */
function noneIfRefused(error: unknown): readonly ClusterName[] {
  if (error instanceof StatusError && (error.code === 403 || error.code === 404)) return [];
  throw error;
}

/** With the same message as for an object that does not exist (ERR-3). */
const unseen = (ask: Ask) =>
  ask.is === 'resource' && ask.name !== undefined ? notFound(ask, ask.name) : noSuchResource();

/**
 * The existing clusters among those that a selector names, and one that does not exist, so that it is reported. A review for each of
 * thousands of names would let users without permissions cause work (SEC-3).
 */
function requestedClusters(place: Place, members: readonly ClusterName[]): readonly ClusterName[] {
  if (place.at !== 'many') return members;
  const except = new Set(place.clusters.except);
  if (!place.clusters.only) return members.filter((cluster) => !except.has(cluster));
  const only = [...new Set(place.clusters.only)].filter((cluster) => !except.has(cluster));
  const known = new Set(members);
  const unknown = only.find((cluster) => !known.has(cluster));
  return only.filter((cluster) => known.has(cluster) || cluster === unknown);
}

export function refusal(user: User, permission: RequiredPermission, cluster: ClusterName | undefined) {
  const { resource, verb, name = cluster } = permission;
  const group = groupOf(permission);
  const named = name === undefined ? '' : ` "${name}"`;
  const message = `${resource.split('/')[0]}.${group}${named} is forbidden: User "${user.name}" cannot ${verb} resource "${resource}" in API group "${group}" at the cluster scope`;
  return forbidden(message, { group, resource: resource.split('/')[0]! }, name);
}
