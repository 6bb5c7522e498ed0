/** Grants and revokes in control plane and members, chosen by a seed; each counts when the authoriser itself answers by it. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '@fleet/bed/api.ts';
import type { Member } from '@fleet/bed/member.ts';
import { until } from '@fleet/bed/until.ts';
import { Random } from '@fleet/differential/random.ts';
import { binding, role } from '@fleet/suites/rbac.ts';
import { type Cluster, clusters, type Level, type Model, type User, users } from './model.ts';

export interface Authorities {
  readonly plane: Api;
  readonly member: Readonly<Record<Cluster, Api>>;
}

const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const reading = ['get', 'list', 'watch'];

const reachRole = (cluster: Cluster) =>
  role(`reach-${cluster}`, {
    apiGroups: ['cluster.karmada.io'],
    resources: ['clusterspaces', 'clusters/proxy'],
    verbs: reading,
    resourceNames: [cluster],
  });
const readRole = role('read-config-maps', { apiGroups: [''], resources: ['configmaps'], verbs: reading });

export const authoritiesOf = (controlPlane: Member, members: Readonly<Record<Cluster, Member>>): Authorities => ({
  plane: controlPlane.api,
  member: { member1: members.member1.api, member2: members.member2.api },
});

const apiOf = ({ plane, member }: Authorities, level: Level, cluster: Cluster): Api =>
  level === 'plane' ? plane : member[cluster];

/** In force when this returns: everybody is permitted everything that the model knows. */
export async function grantAll(authorities: Authorities): Promise<void> {
  for (const cluster of clusters) {
    await authorities.plane.object(roles, { method: 'POST', body: reachRole(cluster) });
    await authorities.member[cluster].object(roles, { method: 'POST', body: readRole });
    for (const user of users)
      for (const level of ['plane', 'member'] as const) await set(authorities, level, user, cluster, true);
  }
}

async function set(
  authorities: Authorities,
  level: Level,
  user: User,
  cluster: Cluster,
  granted: boolean,
): Promise<void> {
  const api = apiOf(authorities, level, cluster);
  const to = level === 'plane' ? `reach-${cluster}` : 'read-config-maps';
  const name = `${to}-${user}`;
  if (granted) await api.object(bindings, { method: 'POST', body: binding(name, to, { kind: 'User', name: user }) });
  else await api.object(`${bindings}/${name}`, { method: 'DELETE' });
  const what = `${level} ${granted ? 'grants' : 'refuses'} ${user} ${cluster}`;
  await until(what, async () => (await isAllowed(api, level, user, cluster)) === granted, { every: 10 });
}

/** The witness: the same cache that decides about requests answers. */
async function isAllowed(api: Api, level: Level, user: User, cluster: Cluster): Promise<boolean> {
  const resourceAttributes =
    level === 'plane'
      ? { verb: 'list', group: 'cluster.karmada.io', resource: 'clusterspaces', name: cluster }
      : { verb: 'list', resource: 'configmaps', namespace: 'permissions' };
  const { status } = await api.object<{ status: { allowed: boolean } }>(
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    {
      method: 'POST',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user, groups: ['system:authenticated'], resourceAttributes },
      },
    },
  );
  return status.allowed;
}

/**
 * In milliseconds, at least. What the control plane revoked is certain after 10 s, and must then be seen for a while; what a
 * member decides is certain at once. The first user's watches resume from versions of all clusters, which only counts as long
 * as the control plane grants them all.
 */
const holds: Readonly<Record<Level, Record<User, { first: number; revoked: number; granted: number }>>> = {
  plane: {
    una: { first: 12_000, revoked: 14_500, granted: 12_000 },
    vic: { first: 500, revoked: 15_500, granted: 3_500 },
  },
  member: {
    una: { first: 500, revoked: 2_500, granted: 1_500 },
    vic: { first: 1_000, revoked: 2_000, granted: 2_000 },
  },
};

/** Until the signal: one of each user's permissions after the other is taken away and given back. */
export async function changePermissions(
  model: Model,
  authorities: Authorities,
  seed: number | string,
  signal: AbortSignal,
  log: (what: string) => void,
): Promise<void> {
  const flip = async (level: Level, user: User, cluster: Cluster, granted: boolean) => {
    const change = model.of(level, user, cluster).change(granted, performance.now());
    await set(authorities, level, user, cluster, granted);
    change.settle(performance.now());
    log(`${granted ? 'grant' : 'revoke'} ${level} ${user} ${cluster}`);
  };
  const wait = (millis: number) => pause(millis, undefined, { signal }).catch(() => {});
  const turns = async (level: Level, user: User): Promise<void> => {
    const random = new Random(`${seed}/${level}/${user}`);
    const { first, revoked, granted } = holds[level][user];
    const hold = (least: number) => wait(least + random.below(1_500));
    await hold(first);
    for (let cluster = random.pick(clusters); !signal.aborted; cluster = random.pick(clusters)) {
      await flip(level, user, cluster, false);
      await hold(revoked);
      await flip(level, user, cluster, true);
      await hold(granted);
    }
  };
  await Promise.all(users.flatMap((user) => (['plane', 'member'] as const).map((level) => turns(level, user))));
}
