/** Lists in pages over all simulated clusters: full, of one snapshot, with tokens that cannot be changed. */

import { CoreV1Api, type V1ConfigMapList } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answersOf, type Variant } from './cached-fleet.ts';
import { type FleetOptions, type SimulatedFleet, startFleet } from './fleet.ts';

const members = ['member1', 'member2', 'member3'];
const perMember = 23;
const limit = 10;

async function startScene(options: Omit<FleetOptions, 'members'> = {}): Promise<SimulatedFleet> {
  const fleet = await startFleet({ members, ...options });
  for (const { client } of fleet.members.values()) {
    await client.create('/api/v1/namespaces', { metadata: { name: 'many' } });
    const names = Array.from({ length: perMember }, (_, index) => `map-${String(index).padStart(2, '0')}`);
    for (const name of names) {
      await client.create('/api/v1/namespaces/many/configmaps', { metadata: { name, labels: { page: 'yes' } } });
    }
  }
  return fleet;
}

async function* pagesOf({ config }: SimulatedFleet): AsyncGenerator<V1ConfigMapList> {
  const api = (await config()).makeApiClient(CoreV1Api);
  let token: string | undefined;
  do {
    const query = { namespace: 'many', labelSelector: 'page=yes', limit, ...(token ? { _continue: token } : {}) };
    const page = await api.listNamespacedConfigMap(query);
    yield page;
    token = page.metadata?._continue;
  } while (token);
}

const namesIn = ({ items }: V1ConfigMapList) => items.map(({ metadata }) => metadata!.name!);

/** Of one snapshot, in the order of clusters. */
const everyName = members.flatMap((member) =>
  Array.from({ length: perMember }, (_, index) => `map-${String(index).padStart(2, '0')}.clusterspace.${member}`),
);

/** What is written past the product may come into its cache a little later (CACHE-7). */
const settled = { timeout: 30_000, interval: 20 };

export const pagesSuite = ({ variant, cached }: Variant) =>
  describe(`pages over all clusters, ${variant}`, () => {
    let fleet: SimulatedFleet;
    beforeAll(async () => {
      fleet = await startScene({ cached });
      const all = async () => (await Array.fromAsync(pagesOf(fleet))).flatMap(namesIn).length;
      await vi.waitUntil(async () => (await all()) === everyName.length, settled);
    });
    afterAll(() => fleet[Symbol.asyncDispose]());

    it('PAGE-1: are full but the last, of one version, and together they are the list', async () => {
      const pages = await Array.fromAsync(pagesOf(fleet));
      expect(pages.map(({ items }) => items.length)).toEqual([10, 10, 10, 10, 10, 10, 9]);
      expect(new Set(pages.map(({ metadata }) => metadata?.resourceVersion)).size).toBe(1);
      expect(pages.flatMap(namesIn)).toEqual(everyName);
    });

    it('PAGE-1: show the snapshot of the first page, whatever is written meanwhile', async () => {
      const seen: string[] = [];
      for await (const page of pagesOf(fleet)) {
        if (seen.length === 0) {
          const { client } = fleet.members.get('member3')!;
          await client.create('/api/v1/namespaces/many/configmaps', {
            metadata: { name: 'late', labels: { page: 'yes' } },
          });
          await client.delete('/api/v1/namespaces/many/configmaps/map-00');
        }
        seen.push(...namesIn(page));
      }
      expect(seen).toEqual(everyName);
    });

    it('PAGE-2: a token that was changed is refused', async () => {
      const api = (await fleet.config()).makeApiClient(CoreV1Api);
      const { metadata } = await api.listNamespacedConfigMap({ namespace: 'many', limit });
      const forged = `${metadata!._continue!.slice(0, -4)}AAAA`;
      const next = api.listNamespacedConfigMap({ namespace: 'many', limit, _continue: forged });
      await expect(next).rejects.toMatchObject({ code: 400 });
    });

    it('CACHE-17: come from the source that the metric reports', async () => {
      const before = await answersOf(fleet);
      await Array.fromAsync(pagesOf(fleet));
      const after = await answersOf(fleet);
      expect(after.cached - before.cached > 0).toBe(cached);
    });
  });
