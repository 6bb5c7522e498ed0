/** KubeSphere's multi-cluster design on real clusters: its Cluster by kubectl, its URLs, and informers of client-go over it. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { binaryPath, clientGo } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import type { Product } from '@fleet/bed/product.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';

let fleet: Fleet<'rohan'>;

beforeAll(async () => {
  await build([clientGo]);
  fleet = await startFleet({ rohan: { version: 'newest' } });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

const clusters = 'clusters.cluster.kubesphere.io';

/** As KubeSphere's releases have it. */
const released = async () => `apiVersion: cluster.kubesphere.io/v1alpha1
kind: Cluster
metadata:
  name: gondor
  labels:
    cluster.kubesphere.io/group: production
spec:
  joinFederation: true
  enable: true
  provider: kubekey
  connection:
    type: direct
    kubeconfig: ${Buffer.from(await readFile(fleet.members.rohan.kubeconfig)).toString('base64')}
`;

async function kubectl(line: string, stdin?: string): Promise<string> {
  const { code, stdout, stderr } = await fleet.product.kubectl(
    ...line.split(' '),
    stdin === undefined ? {} : { stdin },
  );
  expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

const get = async (path: string): Promise<unknown> => JSON.parse(await kubectl(`get --raw ${path}`));

describe('KS-1: its Cluster, by kubectl', () => {
  test('is applied as KubeSphere released it, waited for, and shown on both faces', async () => {
    expect(await kubectl('apply -f -', await released())).toBe('cluster.cluster.kubesphere.io/gondor created\n');
    await kubectl(`wait ${clusters}/gondor --for=condition=Ready --timeout=40s`);
    expect(await kubectl(`get ${clusters} gondor -o yaml`)).not.toContain('kubeconfig');
    expect(await kubectl('get clusters.cluster.karmada.io gondor')).toMatch(/gondor\s+v1\.\d+\.\d+\s+Push\s+True/);
    expect(await kubectl('get clusters')).toMatch(/NAME\s+VERSION\s+MODE\s+READY/);
    await kubectl('apply -f -', await released());
  });

  test('is explained, printed and validated', async () => {
    expect(await kubectl(`explain ${clusters}.spec.connection.type`)).toMatch(/GROUP:\s+cluster.kubesphere.io/);
    expect(await kubectl(`explain ${clusters} --output plaintext-openapiv2`)).toContain('KubeSphere');
    expect(await kubectl(`get ${clusters} -o wide`)).toMatch(/FEDERATED\s+PROVIDER\s+ACTIVE\s+VERSION\s+READY/);
    const wrong = (await released()).replace('provider:', 'provdier:');
    const { code, stderr } = await fleet.product.kubectl('apply', '-f', '-', { stdin: wrong });
    expect([code, stderr]).toEqual([1, expect.stringContaining('provdier')]);
  });

  test('KS-4: its URLs', async () => {
    const document = '/api/clusters/gondor/v1/namespaces/default';
    expect(await get(document)).toMatchObject({ kind: 'Namespace', metadata: { name: 'default' } });
    expect(await get('/apis/cluster.kubesphere.io/clusters/gondor')).toMatchObject({ kind: 'Cluster' });
    expect(await kubectl(`--server ${fleet.product.server}/clusters/gondor get namespaces -o name`)).toContain(
      'default',
    );
  });

  test('KS-2: deactivated, it is out of use; deleted, it is gone with its Agent', async () => {
    await kubectl(`patch ${clusters} gondor --type=merge -p {"spec":{"enable":false}}`);
    const { code, stderr } = await fleet.product.kubectl('get', '--raw', '/clusters/gondor/version');
    expect([code, stderr]).toEqual([1, expect.stringContaining('cluster is not active')]);
    expect(await kubectl('get agents -o name')).toContain('agent.cluster.kubesphere.io/gondor');
    await kubectl(`delete ${clusters} gondor --timeout=40s`);
    await expect.poll(() => kubectl('get agents -o name')).toBe('agent.cluster.kubesphere.io/rohan\n');
  });
});

/** The errors of its steps, of which there are four; undefined for one that went well. */
async function informers({ adminKubeconfig }: Product, enabled: string, ...flags: string[]) {
  const env = { ...process.env, KUBE_FEATURE_WatchListClient: enabled };
  const args = ['-kubeconfig', adminKubeconfig, '-clients', 'clusters', ...flags];
  const { stdout } = await promisify(execFile)(binaryPath(clientGo), args, { env });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { error?: string }).error);
}

describe('KS-1: informers of client-go', () => {
  test.each(['true', 'false'])('of both faces hold what is written to either, WatchListClient=%s', async (enabled) => {
    expect(await informers(fleet.product, enabled)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('a watch that leaves out deletions is noticed', async () => {
    const broken = await fleet.withMutant({
      file: 'server/src/kubesphere/face-watch.ts',
      from: 'if (event) yield event;',
      to: "if (event && event.type !== 'DELETED') yield event;",
    });
    expect((await informers(broken, 'true', '-patience', '8s')).filter(Boolean)).not.toEqual([]);
  });
});
