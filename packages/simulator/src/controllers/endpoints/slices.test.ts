import { expect, it } from 'vitest';
import type { Node } from '../../nodes/node.ts';
import type { Pod } from '../../pods/pod.ts';
import { sketchPod } from '../testing/pods.ts';
import type { Service } from './service.ts';
import { type EndpointSlice, type NewSlice, sliceChanges } from './slices.ts';

const service: Service = {
  metadata: { name: 'web', namespace: 'd', uid: 'svc' },
  spec: { clusterIP: '10.96.0.1', ipFamilies: ['IPv4'], selector: {}, ports: [{ port: 80 }] },
};

const node: Node = { metadata: { name: 'n' }, spec: {} };

const pods = (from: number, to: number): Pod[] =>
  Array.from({ length: to - from }, (_, index) => {
    const pod = sketchPod(`p${from + index}`, { node: 'n', ready: '2026-01-01T00:00:00Z' });
    const ip = `10.0.${Math.floor((from + index) / 250)}.${(from + index) % 250}`;
    pod.status = { ...pod.status, podIP: ip, podIPs: [{ ip }] };
    return pod;
  });

const stored = (slices: readonly NewSlice[]): EndpointSlice[] =>
  slices.map((slice, index) => ({ ...slice, metadata: { ...slice.metadata, name: `web-${index}` } }));

const sizes = (slices: readonly (NewSlice | EndpointSlice)[]) => slices.map(({ endpoints }) => endpoints!.length);
const changes = (all: Pod[], existing: EndpointSlice[] = [], one = service) =>
  sliceChanges(one, all, existing, () => node);

it('fills slices of a hundred, and changes as few as it can', async () => {
  const { create } = await changes(pods(0, 250));
  expect(sizes(create)).toEqual([100, 100, 50]);
  const existing = stored(create);
  expect(await changes(pods(0, 250), existing)).toMatchObject({ create: [], update: [], delete: [] });
  const more = await changes(pods(0, 260), existing);
  expect([sizes(more.create), sizes(more.update), more.update[0]!.metadata.name]).toEqual([[], [60], 'web-2']);
  const fewer = await changes(pods(100, 250), existing);
  expect([fewer.create, fewer.update, fewer.delete.map(({ metadata }) => metadata.name)]).toEqual([[], [], ['web-0']]);
  const replaced = await changes([...pods(1, 250), ...pods(300, 301)], existing);
  expect([sizes(replaced.create), sizes(replaced.update)]).toEqual([[], [100]]);
});

it('keeps one empty slice where there are no endpoints, and makes it the first', async () => {
  const { create } = await changes([]);
  expect([sizes(create), create[0]!.ports]).toEqual([[0], []]);
  const existing = stored(create);
  expect(await changes([], existing)).toMatchObject({ create: [], update: [], delete: [] });
  const first = await changes(pods(0, 1), existing);
  expect([first.create, sizes(first.update), first.delete]).toEqual([[], [1], []]);
});

it('deletes slices of address types that the Service does not have any more', async () => {
  const existing = stored((await changes(pods(0, 1))).create);
  const six = { ...service, spec: { ...service.spec, ipFamilies: ['IPv6'] } };
  expect((await changes(pods(0, 1), existing, six)).delete).toEqual(existing);
});

it('leaves pods out while their node is unknown', async () => {
  const unknown = await sliceChanges(service, pods(0, 1), [], () => undefined);
  expect([unknown.hasUnknownNodes, sizes(unknown.create)]).toEqual([true, [0]]);
});

it('reads the ports of a slice once, however many kinds of pods there are', async () => {
  let reads = 0;
  const counted = {
    name: 'x',
    protocol: 'TCP',
    get port() {
      reads += 1;
      return 1;
    },
  };
  const named = { ...service, spec: { ...service.spec, ports: [{ port: 80, targetPort: 'web' }] } };
  const all = pods(0, 50).map((pod, index) => ({
    ...pod,
    spec: { ...pod.spec, containers: [{ name: 'a', ports: [{ name: 'web', containerPort: 1000 + index }] }] },
  }));
  const existing = stored((await changes(all, [], named)).create);
  expect(existing).toHaveLength(50);
  await changes(
    all,
    existing.map((slice) => ({ ...slice, ports: [counted] })),
    named,
  );
  expect(reads).toBeLessThan(200);
});
