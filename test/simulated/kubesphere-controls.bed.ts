/** Negative controls of the suites on KubeSphere's face: each check holds, and fails where its bug is planted (0007). */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Mutant } from '@fleet/bed/mutant.ts';
import type { KubeConfig } from '@kubernetes/client-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { requestAs } from './src/request.ts';
import { send } from './src/send.ts';

const face = '/apis/cluster.kubesphere.io/v1alpha1/clusters';
const karmada = '/apis/cluster.karmada.io/v1alpha1/clusters';
const secrets = '/clusterspaces/karmada/api/v1/namespaces/karmada-cluster/secrets';
const settled = { timeout: 15_000, interval: 100 };

interface Scene {
  fleet: SimulatedFleet;
  admin: KubeConfig;
}

const named = (name: string, spec: object, annotations?: Record<string, string>) => ({
  apiVersion: 'cluster.kubesphere.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, ...(annotations ? { annotations } : {}) },
  spec,
});
const create = ({ admin }: Scene, object: object) => requestAs(admin, face, {}, false, object);
const patch = ({ admin }: Scene, path: string, body: object) =>
  requestAs(admin, path, { 'content-type': 'application/merge-patch+json' }, false, body, 'PATCH');
const kubeconfigOf = ({ fleet }: Scene) => Buffer.from(fleet.members.get('rohan')!.kubeconfig).toString('base64');

/** What each finds wrong; nothing where all is well. */
const checks: Record<string, (scene: Scene) => Promise<string | undefined>> = {
  async permissions({ fleet }) {
    const { status } = await requestAs(await fleet.config({ name: 'frodo' }), face);
    return status === 403 ? undefined : `anybody lists Clusters: ${status}`;
  },
  async credentials(scene) {
    const applied = JSON.stringify({ spec: { connection: { kubeconfig: 'c2VjcmV0' } } });
    await create(scene, named('noted', {}, { 'kubectl.kubernetes.io/last-applied-configuration': applied }));
    const { body } = await requestAs(scene.admin, `${karmada}/noted`);
    return JSON.stringify(body).includes('c2VjcmV0') ? 'a credential is shown' : undefined;
  },
  async dialling(scene) {
    await create(scene, named('behind', { connection: { type: 'proxy', kubeconfig: kubeconfigOf(scene) } }));
    await expect
      .poll(async () => JSON.stringify((await requestAs(scene.admin, `${face}/behind`)).body), settled)
      .toContain('"Ready","status":');
    const { status } = await requestAs(scene.admin, '/clusters/behind/version');
    return status === 503 ? undefined : `a cluster in proxy mode was dialled: ${status}`;
  },
  async streams(scene) {
    let ended = false;
    const streaming = send(scene.admin, { path: '/clusters/rohan/api/v1/namespaces?watch=true&timeoutSeconds=20' });
    streaming
      .catch(() => {})
      .finally(() => {
        ended = true;
      });
    await requestAs(scene.admin, '/clusters/rohan/version');
    await patch(scene, `${face}/rohan`, { spec: { active: false } });
    const isOver = await expect
      .poll(() => ended, { timeout: 5_000 })
      .toBe(true)
      .then(
        () => true,
        () => false,
      );
    await patch(scene, `${face}/rohan`, { spec: { active: true } });
    return isOver ? undefined : 'a stream to a deactivated cluster goes on';
  },
  async lossless(scene) {
    await patch(scene, `${face}/rohan`, { spec: { provider: 'men' } });
    const { body } = await requestAs(scene.admin, `${karmada}/rohan`);
    return JSON.stringify(body).includes('impersonatorSecretRef') ? undefined : 'a write on the face loses fields';
  },
  async token(scene) {
    const seen: (string | undefined)[] = [];
    const server = createServer(({ headers }, response) => {
      seen.push(headers.authorization);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const kubesphereAPIEndpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await patch(scene, `${face}/rohan`, { spec: { connection: { kubesphereAPIEndpoint } } });
    const authorization = 'Bearer of-the-client';
    await expect
      .poll(async () => {
        await requestAs(scene.admin, '/kapis/clusters/rohan/x', { authorization }, true);
        return seen.length;
      }, settled)
      .toBeGreaterThan(0);
    return seen.includes(authorization) ? "the client's token is passed on" : undefined;
  },
  async secrets(scene) {
    const annotations = { 'fleet.karmada.io/cluster': 'rohan' };
    await requestAs(scene.admin, secrets, {}, false, { metadata: { name: 'moria', annotations }, data: {} });
    const { status } = await create(scene, named('moria', { connection: { kubeconfig: kubeconfigOf(scene) } }));
    return status === 409 ? undefined : `a Secret of another cluster was overwritten: ${status}`;
  },
};

const server = 'packages/server/src';
const bugs: Record<keyof typeof checks, Mutant> = {
  permissions: {
    file: `${server}/authz/authorize.ts`,
    from: 'if (await reviews.isAllowed(user, { resource: attributes })) return;',
    to: 'return;',
  },
  credentials: { file: `${server}/kubesphere/face-annotations.ts`, from: 'delete connection.kubeconfig;', to: '' },
  dialling: {
    file: `${server}/members/member.ts`,
    from: "const isTunnelled = connectionTypeOf(cluster) === 'proxy';",
    to: 'const isTunnelled = !cluster;',
  },
  streams: { file: `${server}/members/registry.ts`, from: 'if (isCut) this.end', to: 'if (!name) this.end' },
  lossless: {
    file: `${server}/kubesphere/translate.ts`,
    from: "old?.spec ?? { syncMode: 'Push' }",
    to: "{ syncMode: 'Push' }",
  },
  token: { file: `${server}/members/kubesphere.ts`, from: "=== 'true'", to: "!== 'true'" },
  secrets: {
    file: `${server}/kubesphere/credentials.ts`,
    from: 'if (secret && !serves(secret, cluster)) throw',
    to: 'if (!cluster) throw',
  },
};

async function start(mutant?: Mutant): Promise<Scene> {
  const fleet = await startFleet({ members: ['rohan'], ...(mutant ? { mutant } : {}) });
  onTestFinished(() => fleet[Symbol.asyncDispose]());
  const admin = await fleet.config();
  await expect.poll(async () => (await requestAs(admin, '/clusters/rohan/version')).status, settled).toBe(200);
  return { fleet, admin };
}

describe('KS-1, KS-2, KS-3, AGENT-11: planted bugs are seen', () => {
  it('without one nothing is found', async () => {
    const scene = await start();
    for (const check of Object.values(checks)) expect(await check(scene)).toBeUndefined();
  });

  it.each(Object.keys(checks))('%s', async (name) => {
    expect(await checks[name]!(await start(bugs[name]))).toBeTypeOf('string');
  });
});
