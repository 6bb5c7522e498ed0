/** A fleet of simulated clusters with every kind registered, and how much of its answers came from the cache. */

import { answersIn, type CountedAnswers } from '@fleet/bed/cached/answers.ts';
import { collectionsOf, registryFor, untilFilled } from '@fleet/bed/cached/everything.ts';
import type { SimulatedCluster } from '@fleet/simulator/start-cluster.ts';
import type { KubeConfig } from '@kubernetes/client-node';
import type { SimulatedFleet } from './fleet.ts';
import { requestAs } from './request.ts';

/** Where a suite of merged views gets its answers from. */
export interface Variant {
  variant: string;
  cached: boolean;
}
export const live: Variant = { variant: 'from the members', cached: false };
export const cached: Variant = { variant: 'from the cache, with every kind registered', cached: true };

type Parts = Pick<SimulatedFleet, 'config' | 'controlPlane' | 'view'>;

/** Of a member that was joined; returns when all of it is filled. */
export async function cacheEverything(fleet: Parts, { client }: SimulatedCluster, name: string): Promise<void> {
  const collections = await collectionsOf((path) => client.get(path));
  const { path, object } = registryFor(name, collections);
  await fleet.controlPlane.patch(`${path}?fieldManager=test&force=true`, 'apply', object);
  const metrics = metricsOf(await fleet.config());
  await untilFilled({ list: (each) => fleet.view.get(each), metrics }, name, collections);
}

export const answersOf = async ({ config }: Parts): Promise<CountedAnswers> =>
  answersIn(await metricsOf(await config())());

const metricsOf = (admin: KubeConfig) => async () => (await requestAs(admin, '/metrics', {}, true)).body as string;
