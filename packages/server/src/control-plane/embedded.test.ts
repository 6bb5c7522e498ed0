import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeClient } from '@fleet/client/kube-client.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { silentLog } from '../testing/silent-log.ts';
import { bootstrapControlPlane } from './bootstrap.ts';
import { openEmbedded } from './embedded.ts';

const { log, lines } = silentLog();

const { warnings } = vi.hoisted(() => ({ warnings: [] as string[] }));
/** The store itself, which may log something first. */
vi.mock(import('@fleet/apiserver/store/open-store.ts'), async (original) => {
  const { openStore } = await original();
  return {
    openStore: (options) => {
      for (const text of warnings.splice(0)) options.warn?.(text);
      return openStore(options);
    },
  };
});

async function open(historyLimit = 1e6): Promise<Upstream> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fleet-embedded-'));
  mkdirSync(join(dataDir, 'pki'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const address = 'localhost:8443/clusterspaces/karmada';
  const embedded = await openEmbedded(
    { dataDir, historyLimit, ca: 'pem', anonymousAuth: true, address, federation: false },
    log,
  );
  onTestFinished(() => embedded[Symbol.asyncDispose]());
  return embedded.upstream;
}

it('CP-1: the namespace of credentials cannot be deleted while there are Clusters', async () => {
  const client = new KubeClient(await open());
  await bootstrapControlPlane(client, log);
  const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';
  const remove = () => client.delete('/api/v1/namespaces/karmada-cluster');
  const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name: 'member1' } };
  await client.create(clusters, { ...cluster, spec: { syncMode: 'Push' } });
  await expect(remove()).rejects.toMatchObject({
    code: 403,
    message: expect.stringContaining('while Clusters exist'),
  });
  await client.delete(`${clusters}/member1`);
  await expect(remove()).resolves.toMatchObject({ status: { phase: 'Terminating' } });
});

it('CP-1: messages of the store are in the server’s own log', async () => {
  warnings.push('the file of the store was not written anew');
  await open();
  const line = { level: 'warn', msg: 'the embedded control plane: the file of the store was not written anew' };
  expect(lines).toContainEqual(expect.objectContaining(line));
});

it('CP-1: history is as long as the setting; earlier versions are expired', async () => {
  const upstream = await open(100_000);
  const ask = async (method: string, path: string, body?: object, type = 'application/json') => {
    const headers = { 'content-type': type };
    const sent = body ? { body: Buffer.from(JSON.stringify(body)) } : {};
    const reply = await upstream.call({ method, path, headers, signal: new AbortController().signal, ...sent });
    const json = JSON.parse(Buffer.concat(await Array.fromAsync(reply.body)).toString());
    return { status: reply.status, json };
  };
  const maps = '/api/v1/namespaces/default/configmaps';
  const first = await ask('POST', maps, { metadata: { name: 'a' } });
  const version = first.json.metadata.resourceVersion;
  const asOf = () => ask('GET', `${maps}?resourceVersion=${version}&resourceVersionMatch=Exact`);
  expect((await asOf()).status).toBe(200);
  for (let times = 0; times < 120; times += 1) {
    const data = { text: String(times).padEnd(1_000, '.') };
    expect((await ask('PATCH', `${maps}/a`, { data }, 'application/merge-patch+json')).status).toBe(200);
  }
  expect(await asOf()).toMatchObject({ status: 410, json: { reason: 'Expired' } });
});

it('FED-25: conditions of a Cluster that others write need no reason', async () => {
  const client = new KubeClient(await open());
  await bootstrapControlPlane(client, log);
  const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';
  const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name: 'member1' } };
  await client.create(clusters, { ...cluster, spec: { syncMode: 'Push' } });
  const condition = { type: 'DiskPressure', status: 'True', message: '', lastTransitionTime: '2026-01-02T03:04:05Z' };
  const write = (more: object) =>
    client.patch(`${clusters}/member1/status`, 'merge', { status: { conditions: [{ ...condition, ...more }] } });
  await expect(write({})).resolves.toMatchObject({ status: { conditions: [condition] } });
  await expect(write({ reason: '' })).resolves.toMatchObject({ status: { conditions: [{ reason: '' }] } });
  await expect(write({ reason: 'DiskFull' })).resolves.toMatchObject({
    status: { conditions: [{ reason: 'DiskFull' }] },
  });
  await expect(write({ reason: 'no word' })).rejects.toMatchObject({ code: 422 });
});

it('CP-6: does not start without the key file that its Secrets are encrypted with, and makes no new one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fleet-embedded-'));
  mkdirSync(join(dataDir, 'pki'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const address = 'localhost:8443/clusterspaces/karmada';
  const start = () =>
    openEmbedded({ dataDir, historyLimit: 1e6, ca: 'pem', anonymousAuth: true, address, federation: false }, log);
  const first = await start();
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { word: 'aGlkZGVu' } };
  await new KubeClient(first.upstream).create('/api/v1/namespaces/default/secrets', secret);
  await first[Symbol.asyncDispose]();
  const file = join(dataDir, 'control-plane', 'encryption.keys');
  rmSync(file);
  await expect(start()).rejects.toThrow(`${file} is missing`);
  expect(existsSync(file)).toBe(false);
});
