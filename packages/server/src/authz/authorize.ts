/** Which places a user may reach. Only what `authorize` returns can be served. */

import { forbidden, noSuchResource, notFound } from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import {
  type Ask,
  type ClusterName,
  karmada,
  type Place,
  type Reviewed,
  type Right,
  type Target,
} from '../target/target.ts';
import type { AccessReviewer } from './access-review.ts';

export interface Granted {
  user: User;
  target: Target;
  /** What is left of the target's place. */
  place: GrantedPlace;
}

export type GrantedPlace =
  | { at: 'here' }
  | { at: 'one'; cluster: ClusterName }
  | { at: 'many'; clusters: readonly ClusterName[] }
  | { at: 'found'; clusters: readonly ClusterName[] }
  | { at: 'review'; review: Reviewed; rights: ReviewRights };

/** By cluster, the verbs about which its word counts. */
export type ReviewRights = ReadonlyMap<ClusterName, ReadonlySet<string>>;

export interface Authorizer {
  /** Throws 403. */
  authorize(user: User, target: Target): Promise<Granted>;
}

const group = 'cluster.karmada.io';

const attributesOf = ({ resource: qualified, verb }: Right, name: string) => {
  const [resource = '', subresource] = qualified.split('/');
  return { resource: { verb, group, resource, name, ...(subresource ? { subresource } : {}) } };
};

export function createAuthorizer(reviews: AccessReviewer, members: () => readonly ClusterName[]): Authorizer {
  /** RBAC knows no wildcard in resourceNames, so a right to all clusters is asked first, by the name `*`. */
  const reachable = async (user: User, right: Right, clusters: readonly ClusterName[]): Promise<ClusterName[]> => {
    if (await reviews.may(user, attributesOf(right, '*'))) return [...clusters];
    const answers = await Promise.all(clusters.map((cluster) => reviews.may(user, attributesOf(right, cluster))));
    return clusters.filter((_, index) => answers[index]);
  };

  /** A yes of a member that the one it is about cannot reach is none (AUTHZ-4). */
  const reviewRights = async (user: User, target: Target, review: Reviewed): Promise<ReviewRights> => {
    const { verbs, subject, clusters: asked } = review;
    const clusters = wantedClusters({ at: 'many', clusters: asked }, members());
    // To ask about others is a request like any other; about oneself anybody may ask.
    if (subject && (await reachable(user, target.right, clusters)).length === 0)
      throw refusal(user, target.right, asked.only?.[0]);
    const about: User = subject ? { ...subject, origin: 'elsewhere' } : user;
    const reached = await Promise.all(verbs.map(({ right }) => reachable(about, right, clusters)));
    const verbsOf = (cluster: ClusterName) => verbs.filter((_, index) => reached[index]?.includes(cluster));
    return new Map(clusters.map((cluster) => [cluster, new Set(verbsOf(cluster).map(({ verb }) => verb))]));
  };

  const grantedPlace = async (user: User, target: Target): Promise<GrantedPlace> => {
    const { place, right, ask, wire, view } = target;
    switch (place.at) {
      case 'here': {
        const path = ask.is === 'path' ? ask.path : wire.path;
        if (await reviews.may(user, { path: { verb: right.verb, path } })) return place;
        throw forbidden(`forbidden: User "${user.name}" cannot ${right.verb} path "${path}"`);
      }
      case 'one': {
        // The control plane decides for itself, as it sees the user.
        if (place.cluster === karmada) return place;
        const [cluster] = await reachable(user, right, [place.cluster]);
        if (cluster !== undefined) return { at: 'one', cluster };
        throw refusal(user, right, place.cluster);
      }
      case 'many':
      case 'found': {
        const wanted = wantedClusters(place, members());
        const clusters = await reachable(user, right, wanted);
        // No member at all is an empty fleet, not a missing right.
        if (clusters.length === 0 && wanted.length > 0)
          throw view.hidesRefusals ? unseen(ask) : refusal(user, right, undefined);
        return { at: place.at, clusters };
      }
      case 'review':
        return { at: 'review', review: place, rights: await reviewRights(user, target, place) };
      default:
        return place satisfies never;
    }
  };

  return {
    authorize: async (user, target) => ({ user, target, place: await grantedPlace(user, target) }),
  };
}

/** In the words of an object that does not exist (ERR-3). */
const unseen = (ask: Ask) =>
  ask.is === 'resource' && ask.name !== undefined ? notFound(ask, ask.name) : noSuchResource();

function wantedClusters(place: Place, members: readonly ClusterName[]): readonly ClusterName[] {
  if (place.at !== 'many') return members;
  const { only = members, except = [] } = place.clusters;
  return only.filter((cluster) => !except.includes(cluster));
}

function refusal(user: User, { resource, verb }: Right, cluster: ClusterName | undefined) {
  const named = cluster === undefined ? '' : ` "${cluster}"`;
  const message = `${resource.split('/')[0]}.${group}${named} is forbidden: User "${user.name}" cannot ${verb} resource "${resource}" in API group "${group}" at the cluster scope`;
  return forbidden(message, { group, resource: resource.split('/')[0]! }, cluster);
}
