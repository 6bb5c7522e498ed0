/** A run on one member with one resource: what it finds, to see that a planted bug is found and nothing without it. */

import type { Mutant } from '@fleet/bed/mutant.ts';
import { KubeConfig } from '@kubernetes/client-node';
import { vi } from 'vitest';
import type { SimulatedFleet } from '../fleet.ts';
import { startProduct } from '../product.ts';
import { countAnswers } from './cached-answers.ts';
import { connect } from './connection.ts';
import { type FollowedInformer, heldBy, inMembers, startInformers } from './informers.ts';
import { collectionOf, namespaces, resourceOf } from './kinds.ts';
import { run } from './run.ts';
import { limitedUser, startScene } from './scene.ts';

const member = 'member1';
const configMaps = resourceOf('configmaps');
const settled = { timeout: 30_000, interval: 20 };

export const startSmallScene = (): Promise<SimulatedFleet> =>
  startScene({ members: [member], registered: [configMaps.plural] });

/** Another product on the same member: joining it again for each bug takes longer than finding the bug. */
export async function findingsOfMutant(fleet: SimulatedFleet, mutant: Mutant, count: number): Promise<string[]> {
  const { product } = fleet;
  // What it writes is whole on disk; so is a copy, while it writes nothing.
  product.signal('SIGSTOP');
  try {
    await using broken = await startProduct({ mutant, copyOf: product.dataDir });
    return await findingsOf(fleet, broken.url, count);
  } finally {
    product.signal('SIGCONT');
  }
}

/** `url`: of the product that is asked. */
export async function findingsOf(fleet: SimulatedFleet, url: string, count: number): Promise<string[]> {
  const config = at(url, fleet, await fleet.config());
  using admin = await connect(config);
  using limited = await connect(at(url, fleet, await fleet.config({ name: limitedUser })));
  await vi.waitUntil(async () => {
    const before = await countAnswers(config);
    await admin.get(collectionOf(configMaps));
    return (await countAnswers(config)).cached > before.cached;
  }, settled);
  const informers = startInformers(fleet, admin, [configMaps.plural]);
  await using ending = new AsyncDisposableStack();
  for (const { informer } of informers) ending.use(informer);
  const to = { admin, limited };
  const { different } = await run({ fleet, to, seed: 'small', count, resources: [configMaps], most: 1 });
  if (different.length > 0) return different.map(({ why }) => why);
  return await misheld(fleet, informers);
}

function at(url: string, { product }: SimulatedFleet, config: KubeConfig): KubeConfig {
  const other = new KubeConfig();
  other.loadFromString(config.exportConfig().replaceAll(product.url, url));
  return other;
}

/** What is written last is seen last: who has it has been sent everything before. */
async function misheld(fleet: SimulatedFleet, informers: readonly FollowedInformer[]): Promise<string[]> {
  const { client } = fleet.members.get(member)!;
  const path = collectionOf(configMaps, namespaces[0]);
  const last = { metadata: { name: 'last', labels: { part: 'a' } } };
  const { metadata } = await client.create<typeof last & { metadata: { uid: string } }>(path, last);
  await vi.waitUntil(() => informers.every(({ informer }) => informer.held.has(metadata.uid)), settled);
  const found = await Promise.all(
    informers.map(async (followed) => {
      const [held, there] = [heldBy(followed), await inMembers(fleet, followed)];
      const isSame = held.join() === there.join();
      return [...followed.informer.faults, ...(isSame ? [] : [`${held.length} held, ${there.length} there`])];
    }),
  );
  await client.delete(`${path}/last`);
  return found.flat();
}
