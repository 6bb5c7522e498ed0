import type { KubeObject } from '@fleet/client/kube-client.ts';
import { expect, it, vi } from 'vitest';
import { clustersPath } from '../api/paths.ts';
import type { Work } from '../api/works.ts';
import { fakeFederation, settled } from '../testing/fake-federation.ts';

const place = { group: 'work.karmada.io', resource: 'works' };

it('FED-16: what becomes of a Work in its member is one write of its status, and what the member reports is another', async () => {
  await using federation = await fakeFederation('shop');
  const { controlPlane } = federation;
  const conditions: string[][] = [];
  const isReported: boolean[] = [];
  using _following = controlPlane.objects.follow(place, 0, ({ now }) => {
    if (!now?.metadata.name.startsWith('a-')) return;
    const { status } = now as unknown as Work;
    conditions.push(status?.conditions?.map(({ type }) => type) ?? []);
    isReported.push(status?.manifestStatuses !== undefined);
  });
  await federation.propagate('shop');
  await federation.configMap('shop', 'a');
  await vi.waitFor(() => {
    expect(conditions.at(-1)).toHaveLength(2);
    expect(isReported.at(-1)).toBe(true);
  }, settled);
  expect(conditions.filter((types) => types.length === 1)).toEqual([]);
  expect(conditions).toHaveLength(3);
});

it('FED-16: a Work whose member is not ready is dispatched, and not applied yet', async () => {
  await using federation = await fakeFederation('shop');
  const { client } = federation.controlPlane;
  const status = { conditions: [{ type: 'Ready', status: 'False' }] };
  await client.patch(`${clustersPath}/m1/status`, 'merge', { status });
  await federation.propagate('shop');
  await federation.configMap('shop', 'a');
  const conditions = async () => {
    const [work] = (await federation.worksOf('a')) as (KubeObject & Pick<Work, 'status'>)[];
    return work?.status?.conditions?.map(({ type, status }) => [type, status]);
  };
  await vi.waitFor(async () => expect(await conditions()).toEqual([['Dispatching', 'True']]), settled);
});
