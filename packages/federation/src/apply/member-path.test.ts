import { StatusError } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import { fakeControlPlane } from '../testing/fake-control-plane.ts';
import { memberPathOf } from './member-path.ts';

const memberWith = (discovery: Record<string, unknown>) => {
  const member = fakeControlPlane();
  for (const [path, answer] of Object.entries(discovery)) member.discovery.set(path, answer);
  return member;
};
const object = (apiVersion: string, kind: string, namespace?: string) => ({
  apiVersion,
  kind,
  metadata: { name: 'one', ...(namespace && { namespace }) },
});
const resources = (...names: [name: string, kind: string, namespaced: boolean][]) => ({
  resources: names.map(([name, kind, namespaced]) => ({ name, kind, namespaced })),
});
const group = (...versions: string[]) => ({ versions: versions.map((groupVersion) => ({ groupVersion })) });
const [v1, v2] = ['example.com/v1', 'example.com/v2'];

describe('FED-9: where a member serves an object', () => {
  it.each([
    ['namespaced', object('v1', 'ConfigMap', 'shop'), '/api/v1/namespaces/shop/configmaps/one'],
    ['cluster-scoped', object(v2, 'Fleet'), '/apis/example.com/v2/fleets/one'],
    ['in its own version', object(v2, 'Boat', 'shop'), '/apis/example.com/v2/namespaces/shop/boats/one'],
    ['in another version of the group', object(v2, 'Raft', 'shop'), '/apis/example.com/v1/namespaces/shop/rafts/one'],
    ['in no version', object(v2, 'Ship', 'shop'), undefined],
    ['in no group', object('other.com/v1', 'Boat', 'shop'), undefined],
  ])('%s', async (_where, one, path) => {
    const { client } = memberWith({
      '/api/v1': resources(['configmaps', 'ConfigMap', true]),
      '/apis/example.com': group(v1, v2),
      '/apis/example.com/v1': resources(['boats', 'Boat', true], ['rafts', 'Raft', true]),
      '/apis/example.com/v2': resources(
        ['boats/status', 'Boat', true],
        ['boats', 'Boat', true],
        ['fleets', 'Fleet', false],
      ),
    });
    expect(await memberPathOf(client, one)).toBe(path);
  });

  it('is an error where its discovery fails', async () => {
    const get = () => Promise.reject(new StatusError(503, 'ServiceUnavailable', 'away'));
    await expect(memberPathOf({ get }, object(v1, 'Boat', 'shop'))).rejects.toThrow('away');
  });
});
