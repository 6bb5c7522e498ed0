/** Updates members that an earlier start of a kept demo joined. Changes of users are kept: members that were removed, renamed or switched off. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import { type Cluster, clustersPath, conditionOf } from '../cluster.ts';
import { clusterspaceUrl } from '../fleet-location.ts';
import { listClusters, uidOf } from '../join/inspect.ts';
import { poll } from '../poll.ts';

export interface FormerMember {
  url: string;
  client: KubeClient;
  /** The address that its Cluster object may still have. */
  formerUrls: readonly string[];
}

interface Rejoining {
  controlPlane: KubeClient;
  /** All of it. */
  fleet: KubeClient;
  signal: AbortSignal;
  /** In milliseconds. */
  within?: number;
}

/** In milliseconds. Some may be unreachable because a user wants them to be. */
const patience = 10_000;

const pathOf = ({ metadata }: Cluster): string => `${clustersPath}/${metadata.name}`;

/** Of those whose port was taken. An address that a user gave one stays. */
export async function correctAddresses(
  members: readonly FormerMember[],
  { controlPlane, signal }: Pick<Rejoining, 'controlPlane' | 'signal'>,
): Promise<void> {
  const registered = await registrations(members, controlPlane, signal);
  for (const { member, cluster } of await registered()) {
    const { apiEndpoint } = cluster.spec;
    if (apiEndpoint === undefined || apiEndpoint === member.url || !member.formerUrls.includes(apiEndpoint)) continue;
    await controlPlane.patch(pathOf(cluster), 'merge', { spec: { apiEndpoint: member.url } }, signal);
  }
}

/** Waits for those that are still registered. Returns what is to be reported. */
export async function untilRejoined(
  members: readonly Pick<FormerMember, 'client'>[],
  { controlPlane, fleet, signal, within = patience }: Rejoining,
): Promise<string> {
  const registered = await registrations(members, controlPlane, signal);
  const end = Date.now() + within;
  const answered = new Set<string>();
  const isReady = async (cluster: Cluster): Promise<boolean> => {
    const { name } = cluster.metadata;
    if (conditionOf(cluster, 'Ready')?.status !== 'True') return false;
    if (answered.has(name)) return true;
    // The condition may still be of the previous start: only an answer shows that the fleet reaches it now.
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(Math.max(end - Date.now(), 0))]);
    const isAnswer = await fleet.get(`${clusterspaceUrl('', name)}/version`, deadline).then(
      () => true,
      () => false,
    );
    if (isAnswer) answered.add(name);
    return isAnswer;
  };
  const ready = await poll(
    async () => {
      const now = await Promise.all((await registered()).map(({ cluster }) => isReady(cluster)));
      return Date.now() >= end || now.every(Boolean) ? now.filter(Boolean).length : undefined;
    },
    { deadline: 2 * within, signal, late: () => new Error('the members cannot be listed') },
  );
  return ready === members.length ? 'all are ready' : `${ready} of ${members.length} are ready`;
}

/** Looks up the registered members by cluster id: names may have changed. */
async function registrations<M extends { client: KubeClient }>(
  members: readonly M[],
  controlPlane: KubeClient,
  signal: AbortSignal,
): Promise<() => Promise<{ member: M; cluster: Cluster }[]>> {
  const ids = await Promise.all(members.map(({ client }) => uidOf(client, signal)));
  return async () => {
    const clusters = new Map((await listClusters(controlPlane, signal)).map((cluster) => [cluster.spec.id, cluster]));
    return members.flatMap((member, index) => {
      const cluster = clusters.get(ids[index]);
      return cluster ? [{ member, cluster }] : [];
    });
  };
}
