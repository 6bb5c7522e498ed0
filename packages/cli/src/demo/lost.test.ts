import type { KubeClient } from '@fleet/client/kube-client.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { expect, test } from 'vitest';
import { lostOf, type TouredMember } from './lost.ts';
import { planClusters } from './plan.ts';
import { shopOf } from './shop.ts';

const signal = new AbortController().signal;

/** A cluster with its shop, of which some was changed since. */
function member(name: string, change: (path: string, object: object) => object | undefined = (_, object) => object) {
  const planned = planClusters(3, 1).find((cluster) => cluster.name === name)!;
  const objects = new Map(shopOf(planned).map((one) => [`${one.collection}/${one.object.metadata.name}`, one.object]));
  const get = async (path: string) => {
    const found = change(path, objects.get(path)!);
    if (found) return found;
    throw new StatusError(404, 'NotFound', 'not found');
  };
  return { name, isJoined: true, client: { get } as unknown as KubeClient } satisfies TouredMember;
}

const all = () => [member('frankfurt'), member('virginia'), member('tokyo')] as const;
const lost = async (members: readonly TouredMember[]) => [...(await lostOf(members, signal))];

test('nothing is, of a demo as it was made', async () => {
  expect(await lost(all())).toEqual([]);
});

test('a cart that was updated leaves the shop', async () => {
  const [frankfurt, , tokyo] = all();
  const current = await frankfurt.client.get<object>('/apis/apps/v1/namespaces/shop/deployments/cart');
  const virginia = member('virginia', (path, object) => (path.endsWith('/cart') ? current : object));
  expect(await lost([frankfurt, virginia, tokyo])).toEqual(['outdated cart']);
});

test('a shop that was deleted in one cluster leaves the members', async () => {
  const [frankfurt, virginia] = all();
  expect(await lost([frankfurt, virginia, member('tokyo', () => undefined)])).toEqual(['shop', 'outdated cart']);
});

test('a member that was taken out leaves nothing', async () => {
  const [frankfurt, virginia, tokyo] = all();
  expect(await lost([frankfurt, virginia, { ...tokyo, isJoined: false }])).toContain('members');
});
