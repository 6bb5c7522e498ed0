/** The aggregation proxy proposal's two user stories, with programs that know nothing of fleets. */

import { serviceDiscovery } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { until } from '@fleet/bed/until.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { apply } from '../rbac.ts';
import { watchMember } from '../seen.ts';
import {
  cachedFrom,
  endpoint,
  mergePatch,
  type Name,
  names,
  pod,
  pods,
  registry,
  type Scene,
  type Shown,
} from './scene.ts';
import { ServiceDiscovery } from './service-discovery.ts';

const mark = 'discovery/routed';
/** A reflector waits between two tries. */
const timeout = 120_000;

export function stories(scene: () => Scene): void {
  describe('Story 1: Service Discovery', () => {
    beforeAll(() => build([serviceDiscovery]), 10 * 60_000);

    test('"list/watch/patch pod": a controller of controller-runtime that lists and watches', { timeout }, async () => {
      await using controller = await serviceDiscoveryStory(scene(), 'listing', false);
      await leavingCluster(scene(), 'listing', controller);
      expect(controller.errors()).toEqual([]);
    });

    test('"list/watch/patch pod": one that uses WatchList', { timeout }, async () => {
      await using controller = await serviceDiscoveryStory(scene(), 'streaming', true);
      expect(controller.errors()).toEqual([]);
    });
  });

  describe('Story 2: Show Pod Logs', () => {
    test('"list all pods", "access pod logs" of one whose cluster the user does not know', async () => {
      const { product, members } = scene();
      const listed = await product.kubectl({ at: endpoint }, 'get', 'pods', '-A', '-o', 'json');
      const found = (JSON.parse(listed.stdout) as { items: Shown[] }).items.find(
        ({ metadata }) => metadata.name === 'nginx-3',
      );
      expect(found?.metadata.annotations?.[cachedFrom]).toBe('cluster2');
      const watching = await Promise.all(names.map((name) => watchMember(members[name])));
      const logs = await product.kubectl({ at: endpoint }, 'logs', 'nginx-3', '--tail=2');
      expect(logs).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(/^bar line \d+\nbar line \d+\n$/),
      });
      const direct = await members.cluster2.kubectl('logs', 'nginx-3', '-c', 'bar', '--limit-bytes=11');
      expect(await product.kubectl({ at: endpoint }, 'logs', 'nginx-3', '-c', 'bar', '--limit-bytes=11')).toEqual(
        direct,
      );
      const seen = await Promise.all(
        watching.map(async (entries) =>
          (await entries())
            .filter(({ objectRef }) => objectRef?.subresource === 'log')
            .map((one) => one.impersonatedUser),
        ),
      );
      // The last one is the direct one, which nobody asked for somebody else.
      expect([seen[0], new Set(seen[1]?.filter(Boolean))]).toEqual([[], new Set(['fleet:admin'])]);
    });
  });
}

const nameOf = (app: string, cluster: Name) => `${app}-${cluster}`;
const routeOf = (app: string, cluster: Name) => `default/${nameOf(app, cluster)}`;
const make = ({ members }: Scene, app: string, cluster: Name) =>
  apply(members[cluster], pod(nameOf(app, cluster), { app }));
const remove = ({ members }: Scene, app: string, cluster: Name) =>
  members[cluster].kubectl('delete', 'pod', nameOf(app, cluster), '--now');

/** Its three steps, in two clusters; then a pod that is made anew. */
async function serviceDiscoveryStory(scene: Scene, app: string, isWatchList: boolean): Promise<ServiceDiscovery> {
  await using starting = new AsyncDisposableStack();
  const { product, members } = scene;
  const path = (cluster: Name) => `${pods}/${nameOf(app, cluster)}`;
  const isMarked = async (cluster: Name) => {
    const { metadata, status } = await members[cluster].api.object<Shown & { status: { podIP?: string } }>(
      path(cluster),
    );
    return status.podIP !== undefined && metadata.annotations?.[mark] === status.podIP;
  };
  const [first, second] = names.map((cluster) => routeOf(app, cluster));

  await make(scene, app, 'cluster1');
  const controller = starting.use(new ServiceDiscovery(product.adminKubeconfig, `app=${app}`, isWatchList));
  await until('the pod that was there is routed', () => controller.routes().includes(first!));
  await make(scene, app, 'cluster2');
  await until('so is one that comes', () => controller.routes().length === 2);
  for (const cluster of names) await until('both are marked', () => isMarked(cluster));
  // "The controller ignores pods with this annotation".
  const body = { metadata: { labels: { changed: 'yes' } } };
  await members.cluster1.api.object(path('cluster1'), { method: 'PATCH', contentType: mergePatch, body });
  // "operations that cause pods to be deleted/replaced will … make the pods eligible".
  await remove(scene, app, 'cluster2');
  await make(scene, app, 'cluster2');
  const routed = () => controller.lines.filter(({ address }) => address);
  await until('the new one is routed', () => routed().length === 3);
  await until('and marked', () => isMarked('cluster2'));
  expect(routed().map((line) => line.pod)).toEqual([first, second, second]);
  expect(new Set(routed().map(({ uid }) => uid)).size).toBe(3);
  starting.move();
  return controller;
}

/** CACHE-4: a cluster that is taken out of the registry goes, and comes back with what is new in it. */
async function leavingCluster(scene: Scene, app: string, controller: ServiceDiscovery): Promise<void> {
  await apply(scene.controlPlane, registry(['cluster1']));
  await until('its route is removed', () => !controller.routes().includes(routeOf(app, 'cluster2')));
  expect(controller.routes()).toEqual([routeOf(app, 'cluster1')]);
  await apply(scene.controlPlane, registry());
  await remove(scene, app, 'cluster2');
  await make(scene, app, 'cluster2');
  await until('it is routed again', () => controller.routes().length === 2);
  for (const cluster of names) await remove(scene, app, cluster);
  await until('no route is left', () => controller.routes().length === 0);
}
