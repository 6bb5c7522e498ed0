/** The aggregation proxy proposal's "Global Resource Version" and its worked example. */

import { describe, expect, test } from 'vitest';
import { entriesOf, Watching } from '../watching.ts';
import {
  mergePatch,
  type Name,
  names,
  namesIn,
  parsed,
  pods,
  proxying,
  type Scene,
  type Shown,
  type ShownList,
} from './scene.ts';

const nginx = `${proxying}${pods}?labelSelector=app%3Dnginx`;
const example = 'eyJjbHVzdGVyMSI6IjEyMzQiLCJjbHVzdGVyMiI6IjU2NzgifQ';

export function describeVersions(scene: () => Scene): void {
  const own = async (name: Name): Promise<number> => {
    const { metadata } = await scene().members[name].api.object<ShownList>('/api/v1/pods?limit=1');
    return Number(metadata.resourceVersion);
  };
  const ownAll = () => Promise.all(names.map(own));

  describe('Global Resource Version', () => {
    test('`base64.RawURLEncoding({"cluster1":"1234","cluster2":"5678"})`', () => {
      expect(Buffer.from('{"cluster1":"1234","cluster2":"5678"}').toString('base64url')).toBe(example);
      expect(entriesOf(example)).toEqual({ cluster1: '1234', cluster2: '5678' });
    });

    test('RV-4: "List Pod": the items of both, one version; the kind is PodList, as Kubernetes has it', async () => {
      const before = await ownAll();
      const list = parsed<ShownList>(await scene().product.api.ask(`${nginx}&consistent=true`));
      const after = await ownAll();
      expect(list).toMatchObject({ apiVersion: 'v1', kind: 'PodList' });
      expect(namesIn(list)).toEqual(['nginx-1', 'nginx-2', 'nginx-3', 'nginx-4']);
      const { resourceVersion } = list.metadata;
      const entries = entriesOf(resourceVersion);
      // Just as the document encodes it.
      expect(Buffer.from(JSON.stringify(entries)).toString('base64url')).toBe(resourceVersion);
      expect(Object.keys(entries)).toEqual(names);
      names.forEach((name, at) => {
        expect(Number(entries[name])).toBeGreaterThanOrEqual(before[at]!);
        expect(Number(entries[name])).toBeLessThanOrEqual(after[at]!);
      });
    });

    test('RV-4: "Get Pod": the map, with the pod’s own version for its cluster', async () => {
      const { members, product } = scene();
      const { metadata } = await members.cluster1.api.object<Shown>(`${pods}/nginx-2`);
      const got = parsed(await product.api.ask(`${proxying}${pods}/nginx-2`));
      expect(got).toMatchObject({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'nginx-2', uid: metadata.uid } });
      expect(entriesOf(got.metadata.resourceVersion)).toEqual({
        cluster1: metadata.resourceVersion,
        cluster2: expect.stringMatching(/^\d+$/),
      });
    });

    test('RV-4, WATCH-4: "Watch Pod": `nginx-2 is updated`: its cluster’s entry moves, the other’s does not', async () => {
      await watchStory(scene());
    });
  });
}

/** Two events in two clusters; then the watch resumes from the first of them, as after a break. */
export async function watchStory({ product, members }: Pick<Scene, 'product' | 'members'>): Promise<void> {
  const list = parsed<ShownList>(await product.api.ask(nginx));
  const from = list.metadata.resourceVersion;
  const update = (name: Name, pod: string) =>
    members[name].api.object<Shown>(`${pods}/${pod}`, {
      method: 'PATCH',
      contentType: mergePatch,
      body: { metadata: { annotations: { updated: `${Date.now()}` } } },
    });
  const versions = ({ events }: Watching) => events.map(({ object }) => entriesOf(object.metadata?.resourceVersion));
  const first = await Watching.open(product, `${nginx}&watch=true&resourceVersion=${from}`);
  const second = await update('cluster1', 'nginx-2');
  await first.until('the update comes', ({ events }) => events.length === 1);
  const fourth = await update('cluster2', 'nginx-4');
  await first.until('so is the other', ({ events }) => events.length === 2);
  // `UPDATED` is what the document calls it.
  expect(first.received).toEqual(['MODIFIED nginx-2', 'MODIFIED nginx-4']);
  expect(versions(first)).toEqual([
    { cluster1: second.metadata.resourceVersion, cluster2: entriesOf(from)['cluster2'] },
    { cluster1: second.metadata.resourceVersion, cluster2: fourth.metadata.resourceVersion },
  ]);
  first.close();
  const last = first.events[0]?.object.metadata?.resourceVersion;
  const again = await Watching.open(product, `${nginx}&watch=true&resourceVersion=${last}`);
  await again.until('it resumes', ({ events }) => events.length === 1);
  const third = await update('cluster2', 'nginx-3');
  await again.until('and goes on', ({ events }) => events.length === 2);
  expect(again.received).toEqual(['MODIFIED nginx-4', 'MODIFIED nginx-3']);
  expect(versions(again)[1]).toEqual({
    cluster1: second.metadata.resourceVersion,
    cluster2: third.metadata.resourceVersion,
  });
  again.close();
}
