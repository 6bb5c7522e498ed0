/** Document 002's two user stories, with programs that know nothing of fleets. */

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

export function stories(scene: () => Scene): void {
  describe('Story 1: Service Discovery', () => {
    beforeAll(() => build([serviceDiscovery]), 10 * 60_000);

    test.each([
      ['list & watch', false],
      ['WatchList', true],
    ] as const)(
      '"list/watch/patch pod": a controller of controller-runtime, %s',
      { timeout: 90_000 },
      async (way, isWatchList) => {
        await serviceDiscoveryStory(scene(), `story-${isWatchList ? 'a' : 'b'}`, isWatchList);
        expect(way).toBeDefined();
      },
    );
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

/** Its three steps, in two clusters; then a pod that is made anew, a registry that is changed, and one that is changed back. */
export async function serviceDiscoveryStory(
  { product, members, controlPlane }: Scene,
  app: string,
  isWatchList: boolean,
): Promise<void> {
  const name = (cluster: Name) => `${app}-${cluster}`;
  const path = (cluster: Name) => `${pods}/${name(cluster)}`;
  const make = (cluster: Name) => apply(members[cluster], pod(name(cluster), { app }));
  const isMarked = async (cluster: Name) => {
    const { metadata, status } = await members[cluster].api.object<Shown & { status: { podIP?: string } }>(
      path(cluster),
    );
    return status.podIP !== undefined && metadata.annotations?.[mark] === status.podIP;
  };
  const both = names.map((cluster) => `default/${name(cluster)}`);

  await make('cluster1');
  await using controller = new ServiceDiscovery(product.adminKubeconfig, `app=${app}`, isWatchList);
  await until('the pod that was there is routed', () => controller.routes().includes(both[0]!));
  await make('cluster2');
  await until('so is one that comes', () => controller.routes().length === 2);
  for (const cluster of names) await until('both are marked', () => isMarked(cluster));
  // "The controller ignores pods with this annotation".
  await members.cluster1.api.object(path('cluster1'), {
    method: 'PATCH',
    contentType: mergePatch,
    body: { metadata: { labels: { changed: 'yes' } } },
  });
  // "operations that cause pods to be deleted/replaced will … make the pods eligible".
  await members.cluster2.kubectl('delete', 'pod', name('cluster2'), '--now');
  await make('cluster2');
  await until('the new one is routed', () => controller.lines.filter(({ address }) => address).length === 3);
  await until('and marked', () => isMarked('cluster2'));
  const routed = controller.lines.filter(({ address }) => address);
  expect(routed.map((line) => line.pod)).toEqual([...both, both[1]]);
  expect(new Set(routed.map(({ uid }) => uid)).size).toBe(3);
  // CACHE-4: a cluster that is no longer registered goes; its pods keep their marks, and have no routes twice.
  await apply(controlPlane, registry(['cluster1']));
  await until('its route is removed', () => !controller.routes().includes(both[1]!));
  expect(controller.routes()).toEqual([both[0]]);
  await apply(controlPlane, registry());
  await members.cluster2.kubectl('delete', 'pod', name('cluster2'), '--now');
  await make('cluster2');
  await until('it is routed again', () => controller.routes().length === 2);
  for (const cluster of names) await members[cluster].kubectl('delete', 'pod', name(cluster), '--now');
  await until('no route is left', () => controller.routes().length === 0);
  expect(controller.errors()).toEqual([]);
}
