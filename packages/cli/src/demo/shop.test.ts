import { expect, test } from 'vitest';
import { planClusters } from './plan.ts';
import { type ShopObject, shopOf } from './shop.ts';

const shops = planClusters(4, 1).map((cluster) => ({ name: cluster.name, objects: shopOf(cluster) }));

const json = (objects: readonly ShopObject[], kind: string, name: string) =>
  JSON.stringify(objects.find(({ object }) => object.kind === kind && object.metadata.name === name));

const differing = (kind: string, name: string) => {
  const usual = json(shops[0]!.objects, kind, name);
  return shops.filter(({ objects }) => json(objects, kind, name) !== usual).map((one) => one.name);
};

test('there is something to find: a database in one cluster, a version in another', () => {
  expect(differing('StatefulSet', 'orders-db')).toEqual(['tokyo']);
  expect(differing('Deployment', 'cart')).toEqual(['virginia']);
  expect(differing('Deployment', 'frontend')).toEqual([]);
});

test('it has the kinds that people use, each in a namespace that comes before it', () => {
  const [{ objects }] = shops as [(typeof shops)[0]];
  expect(new Set(objects.map(({ object }) => object.kind))).toEqual(
    new Set(['Namespace', 'ConfigMap', 'Deployment', 'StatefulSet', 'DaemonSet', 'Service', 'CronJob']),
  );
  const namespaces = objects
    .filter(({ object }) => object.kind === 'Namespace')
    .map(({ object }) => object.metadata.name);
  for (const { collection, object } of objects) {
    if (object.kind === 'Namespace') continue;
    expect(namespaces).toContain(object.metadata.namespace);
    expect(collection).toContain(`/namespaces/${object.metadata.namespace}/${object.kind!.toLowerCase()}s`);
  }
});
