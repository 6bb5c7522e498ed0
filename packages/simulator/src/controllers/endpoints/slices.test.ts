import { expect, it } from 'vitest';
import type { Node, Pod } from '../shared/objects.ts';
import { sketchPod } from '../testing/pods.ts';
import type { Service } from './service.ts';
import { type EndpointSlice, type NewSlice, sliceChanges } from './slices.ts';

const service: Service = {
  metadata: { name: 'web', namespace: 'd', uid: 'svc' },
  spec: { clusterIP: '10.96.0.1', ipFamilies: ['IPv4'], selector: {}, ports: [{ port: 80 }] },
};

const node: Node = { metadata: { name: 'n' } };

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

it('fills slices of a hundred, and changes as few as it can', () => {
  const { create } = changes(pods(0, 250));
  expect(sizes(create)).toEqual([100, 100, 50]);
  const existing = stored(create);
  expect(changes(pods(0, 250), existing)).toMatchObject({ create: [], update: [], delete: [] });
  const more = changes(pods(0, 260), existing);
  expect([sizes(more.create), sizes(more.update), more.update[0]!.metadata.name]).toEqual([[], [60], 'web-2']);
  const fewer = changes(pods(100, 250), existing);
  expect([fewer.create, fewer.update, fewer.delete.map(({ metadata }) => metadata.name)]).toEqual([[], [], ['web-0']]);
  const replaced = changes([...pods(1, 250), ...pods(300, 301)], existing);
  expect([sizes(replaced.create), sizes(replaced.update)]).toEqual([[], [100]]);
});

it('keeps one empty slice where there are no endpoints, and makes it the first', () => {
  const { create } = changes([]);
  expect([sizes(create), create[0]!.ports]).toEqual([[0], []]);
  const existing = stored(create);
  expect(changes([], existing)).toMatchObject({ create: [], update: [], delete: [] });
  const first = changes(pods(0, 1), existing);
  expect([first.create, sizes(first.update), first.delete]).toEqual([[], [1], []]);
});

it('deletes slices of address types that the Service does not have any more', () => {
  const existing = stored(changes(pods(0, 1)).create);
  const six = { ...service, spec: { ...service.spec, ipFamilies: ['IPv6'] } };
  expect(changes(pods(0, 1), existing, six).delete).toEqual(existing);
});

it('leaves pods out while their node is unknown', () => {
  const unknown = sliceChanges(service, pods(0, 1), [], () => undefined);
  expect([unknown.hasUnknownNodes, sizes(unknown.create)]).toEqual([true, [0]]);
});
