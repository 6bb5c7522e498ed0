import { KubeClient } from '@fleet/client/kube-client.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { silentLog } from '../testing/silent-log.ts';
import { clustersPath, secretsNamespace } from './cluster.ts';
import { MemberRegistry } from './registry.ts';

const secretsPath = `/api/v1/namespaces/${secretsNamespace}/secrets`;

const cluster = (name: string, apiEndpoint = 'https://127.0.0.1:1') => ({
  metadata: { name, uid: `uid-${name}` },
  spec: { syncMode: 'Push' as const, apiEndpoint, secretRef: { namespace: secretsNamespace, name } },
});

const secret = (name: string, token = 't') => ({
  metadata: { name, namespace: secretsNamespace },
  data: { token: Buffer.from(token).toString('base64') },
});

let controlPlane: FakeControlPlane;
let registry: MemberRegistry;
const seen: string[] = [];

async function open(): Promise<void> {
  registry = new MemberRegistry(new KubeClient(controlPlane.upstream), silentLog().log);
  for (const event of ['joined', 'changed', 'left'] as const) {
    registry.events.on(event, ({ name }) => seen.push(`${event} ${name}`));
  }
  await registry.synced();
}

beforeEach(() => {
  seen.length = 0;
  controlPlane = new FakeControlPlane();
  controlPlane.put(secretsPath, secret('b'));
  controlPlane.put(clustersPath, cluster('b'));
});

afterEach(async () => {
  await registry[Symbol.asyncDispose]();
});

const codeOf = (name: string): number => {
  try {
    registry.get(name);
    return 200;
  } catch (error) {
    return (error as { code: number }).code;
  }
};

describe('CP-4: the member registry, on a control plane in the same process', () => {
  it('knows the clusters that are there and those that join, in name order', async () => {
    await open();
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    controlPlane.put(secretsPath, secret('a'));
    controlPlane.put(clustersPath, cluster('a'));
    await vi.waitFor(() => expect(codeOf('a')).toBe(200));
    expect(registry.names()).toEqual(['a', 'b']);
    expect(seen).toEqual(['joined b', 'joined a']);
  });

  it('NAME-8: an unknown cluster is 404, one without a credential 503', async () => {
    controlPlane.put(clustersPath, cluster('bare'));
    await open();
    expect(() => registry.get('zz')).toThrow('clusters.cluster.karmada.io "zz" not found');
    expect(codeOf('zz')).toBe(404);
    expect(codeOf('bare')).toBe(503);
    expect(registry.names()).toContain('bare');
  });

  it('CLU-2: the credential may come after the Cluster', async () => {
    controlPlane.put(clustersPath, cluster('late'));
    await open();
    expect(codeOf('late')).toBe(503);
    controlPlane.put(secretsPath, secret('late'));
    await vi.waitFor(() => expect(codeOf('late')).toBe(200));
  });

  it('CLU-4: a changed credential or endpoint means a new connection, other changes do not', async () => {
    await open();
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    const first = registry.get('b');
    controlPlane.put(clustersPath, {
      ...cluster('b'),
      metadata: { name: 'b', uid: 'uid-b', labels: { x: 'y' } },
    } as never);
    await vi.waitFor(() => expect(registry.get('b').cluster.metadata.labels).toEqual({ x: 'y' }));
    expect(registry.get('b')).toBe(first);

    controlPlane.put(secretsPath, secret('b', 'rotated'));
    await vi.waitFor(() => expect(registry.get('b')).not.toBe(first));
    const second = registry.get('b');
    controlPlane.put(clustersPath, cluster('b', 'https://127.0.0.1:2'));
    await vi.waitFor(() => expect(registry.get('b')).not.toBe(second));
    expect(seen).toEqual(['joined b', 'changed b', 'changed b']);
  });

  it('CLU-4: a Secret in another namespace works, and is used when it changes', async () => {
    const elsewhere = '/api/v1/namespaces/team/secrets';
    controlPlane.put(elsewhere, { ...secret('far'), metadata: { name: 'far', namespace: 'team' } });
    const far = { ...cluster('far'), spec: { ...cluster('far').spec, secretRef: { namespace: 'team', name: 'far' } } };
    controlPlane.put(clustersPath, far);
    await open();
    expect(codeOf('far')).toBe(200);
    expect(controlPlane.upstream.paths).toContainEqual(
      expect.stringContaining(`GET ${elsewhere}?fieldSelector=metadata.name%3Dfar&limit=500`),
    );
    const first = registry.get('far');
    controlPlane.put(elsewhere, { ...secret('far', 'new'), metadata: { name: 'far', namespace: 'team' } });
    await vi.waitFor(() => expect(registry.get('far')).not.toBe(first));
    controlPlane.remove(elsewhere, 'far');
    await vi.waitFor(() => expect(codeOf('far')).toBe(503));
    expect([...registry.blocked()]).toMatchObject([[{}, { message: expect.stringContaining('team/far') }]]);
  });

  it('KS-2: a cluster that is not active is 503 and in no view, until it is again', async () => {
    const off = { ...cluster('b'), metadata: { name: 'b', annotations: { 'cluster.kubesphere.io/active': 'false' } } };
    controlPlane.put(clustersPath, off as never);
    await open();
    expect(() => registry.get('b')).toThrow('cluster is not active');
    expect({ code: codeOf('b'), names: registry.names() }).toEqual({ code: 503, names: [] });
    controlPlane.put(clustersPath, cluster('b'));
    await vi.waitFor(() => expect(registry.names()).toEqual(['b']));
    expect(codeOf('b')).toBe(200);
  });

  it('a removed cluster is unknown', async () => {
    await open();
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    controlPlane.remove(clustersPath, 'b');
    await vi.waitFor(() => expect(codeOf('b')).toBe(404));
    expect(registry.all()).toEqual([]);
    expect(seen).toEqual(['joined b', 'left b']);
  });

  it('a Cluster whose endpoint is no URL harms nobody else', async () => {
    for (const [name, endpoint] of [
      ['a', '10.0.0.1:6443'],
      ['a2', 'ftp://x'],
      ['a3', 'nonsense'],
    ] as const) {
      controlPlane.put(secretsPath, secret(name));
      controlPlane.put(clustersPath, cluster(name, endpoint));
    }
    await open();
    await vi.waitFor(() => expect(codeOf('b')).toBe(200));
    // One that comes while the product runs must not hold up those that come after it.
    controlPlane.put(secretsPath, secret('c'));
    controlPlane.put(clustersPath, cluster('c', 'still nonsense'));
    controlPlane.put(secretsPath, secret('d'));
    controlPlane.put(clustersPath, cluster('d'));
    await vi.waitFor(() => expect(codeOf('d')).toBe(200));
    expect(['a', 'a2', 'a3'].map(codeOf)).toEqual([503, 503, 503]);
    controlPlane.put(clustersPath, cluster('a', 'https://127.0.0.1:3'));
    await vi.waitFor(() => expect(codeOf('a')).toBe(200));
  });
});
