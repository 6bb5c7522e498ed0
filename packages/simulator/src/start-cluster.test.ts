import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '@fleet/apiserver/http/listener.ts';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import { writePrivate } from '@fleet/client/private-file.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClusterOptions, type SimulatedCluster, startCluster } from './start-cluster.ts';

let folder: string;
let errors: unknown[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-simulator-'));
  errors = [];
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  expect(errors).toEqual([]);
});

const start = (options: Partial<ClusterOptions> = {}): Promise<SimulatedCluster> =>
  startCluster({ name: 'member1', onError: (error) => errors.push(error), ...options });

/** A separate client, over the network. */
async function connect({ kubeconfig }: SimulatedCluster): Promise<{ client: KubeClient } & AsyncDisposable> {
  const path = join(folder, 'kubeconfig');
  await writePrivate(path, kubeconfig);
  const upstream = new HttpsUpstream(await loadEndpoint(path));
  return { client: new KubeClient(upstream), [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose]() };
}

const uidOf = async (client: KubeClient): Promise<string> =>
  (await client.get<KubeObject>('/api/v1/namespaces/kube-system')).metadata.uid!;

describe('a simulated cluster', () => {
  it('is an API server on a port of its own, with an administrator', async () => {
    await using cluster = await start({ version: 'v1.34.4' });
    await using connection = await connect(cluster);
    expect(await connection.client.get('/version')).toMatchObject({ gitVersion: 'v1.34.4', minor: '34' });
    const made = { metadata: { name: 'a' }, data: { b: 'c' } };
    await connection.client.create('/api/v1/namespaces/default/configmaps', made);
    expect(await cluster.client.get('/api/v1/namespaces/default/configmaps/a')).toMatchObject(made);
  });

  it('has the Service of its API server, as kube-apiserver makes it', async () => {
    await using cluster = await start();
    expect(await cluster.client.get('/api/v1/namespaces/default/services/kubernetes')).toMatchObject({
      metadata: { labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        type: 'ClusterIP',
        clusterIP: '10.96.0.1',
        ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: cluster.port }],
      },
    });
  });

  it('has a CA of its own: the administrator of one cluster is nobody in another', async () => {
    await using one = await start();
    await using other = await start({ name: 'member2' });
    const stranger = { ...other, kubeconfig: one.kubeconfig.replace(one.url, other.url) };
    await using connection = await connect(stranger);
    await expect(connection.client.get('/version')).rejects.toThrow('cannot connect');
  });

  it('that is kept comes back with its objects, its port, its CA and its identity', async () => {
    const directory = join(folder, 'kept');
    const first = await start({ directory });
    await first.client.create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
    const uid = await uidOf(first.client);
    const { kubeconfig } = first;
    await first[Symbol.asyncDispose]();
    expect((await stat(join(directory, 'cluster.json'))).mode & 0o777).toBe(0o600);
    await using again = await start({ directory });
    expect(again.kubeconfig).toBe(kubeconfig);
    await using connection = await connect(again);
    expect(await uidOf(connection.client)).toBe(uid);
    expect(await connection.client.get('/api/v1/namespaces/default/configmaps/a')).toMatchObject({ kind: 'ConfigMap' });
  });

  it('that is kept takes another port if its own is taken, and keeps that', async () => {
    const directory = join(folder, 'moved');
    const first = await start({ directory });
    await first[Symbol.asyncDispose]();
    await using _ = await listen(() => Promise.reject(new Error('unused')), { port: first.port });
    const again = await start({ directory });
    expect(again.port).not.toBe(first.port);
    expect(again.formerUrl).toBe(first.url);
    expect(again.kubeconfig).toContain(again.url);
    await again[Symbol.asyncDispose]();
    await using third = await start({ directory });
    expect(third).toMatchObject({ port: again.port, formerUrl: undefined });
    await expect(start({ directory: join(folder, 'asked'), port: first.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });

  it('that ends while pods start reports no errors', async () => {
    const cluster = await start();
    // A kubelet's write is in flight at the end: it gets no response but the abort.
    const { upstream } = cluster.client;
    const underWay = Promise.withResolvers<void>();
    const call = upstream.call.bind(upstream);
    upstream.call = (request) => {
      if (request.method !== 'PATCH' || !/\/pods\/web-[^/]+\/status$/.test(request.path)) return call(request);
      const { promise, reject } = Promise.withResolvers<never>();
      request.signal!.addEventListener('abort', () => reject(request.signal!.reason), { once: true });
      underWay.resolve();
      return promise;
    };
    const containers = [{ name: 'web', image: 'web:1' }];
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers } };
    await cluster.client.create('/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: { app: 'web' } }, template },
    });
    await underWay.promise;
    await cluster[Symbol.asyncDispose]();
  });

  it('that is not kept leaves nothing: the next one is another cluster', async () => {
    const first = await start();
    const uid = await uidOf(first.client);
    await first[Symbol.asyncDispose]();
    await using other = await start();
    expect(await uidOf(other.client)).not.toBe(uid);
  });
});
