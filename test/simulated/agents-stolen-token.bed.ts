/** A thief of an agent's token: logged in as an agent, with a server of its own behind it. */

import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCa, issueServing } from '@fleet/apiserver/pki/certificates.ts';
import { type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import type { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { clustersPath, credentialsOf, giveToken, handing, registerProxy, startAgent } from './src/agent-member.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { requestAs } from './src/request.ts';

const owned = new AsyncDisposableStack();
const settled = { timeout: 20_000, interval: 50 };
let fleet: SimulatedFleet;
let admin: KubeConfig;
let gondor: SimulatedCluster;

beforeAll(async () => {
  fleet = owned.use(await startFleet({ members: [], flags: [] }));
  gondor = owned.use(
    await startCluster({ name: 'gondor', factor: 100, onError: (error: unknown) => console.error(error) }),
  );
  admin = await fleet.config();
});
afterAll(() => owned.disposeAsync());

const ask = async () => (await requestAs(admin, '/clusters/gondor/api/v1/namespaces/default/secrets')).status;

const ready = async () => {
  const { status } = await fleet.controlPlane.get<{
    status?: { conditions?: { type: string; status: string; reason: string; message: string }[] };
  }>(`${clustersPath}/gondor`);
  return status?.conditions?.find(({ type }) => type === 'Ready');
};

/** Of the right name, by a CA of its own. It knows the uid that the Cluster has, which is no secret. */
async function startForeignServer(uid: string) {
  const { cert, key } = await issueServing(await createCa('thief'), ['kubernetes.default.svc']);
  const requests: string[] = [];
  let connections = 0;
  const server = createServer({ cert, key }, ({ url, headers }, response) => {
    requests.push(`${url} ${JSON.stringify(headers)}`);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'kube-system', uid }, items: [] }),
    );
  });
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owned.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, requests, connections: () => connections };
}

it('AGENT-5: it gets no request and no credential, whatever TLS settings the Cluster has', async () => {
  await registerProxy(fleet, 'gondor');
  const token = await giveToken(fleet, 'gondor');
  const credentials = handing(await credentialsOf(gondor));
  const agent = startAgent(fleet.product, token, gondor, { credentials });
  await vi.waitFor(async () => expect(await ask()).toBe(200), settled);
  const { metadata } = await gondor.client.get<{ metadata: { uid: string } }>('/api/v1/namespaces/kube-system');
  await agent[Symbol.asyncDispose]();

  const foreign = await startForeignServer(metadata.uid);
  await using _thief = startAgent(fleet.product, token, foreign);
  // Not before the fleet has tried it.
  await vi.waitFor(async () => {
    expect(await ask()).toBe(503);
    expect(foreign.connections()).toBeGreaterThan(0);
  }, settled);
  expect(foreign.requests).toEqual([]);

  const insecure = { spec: { insecureSkipTLSVerification: true } };
  await fleet.controlPlane.patch(`${clustersPath}/gondor`, 'merge', insecure);
  await vi.waitFor(async () => expect((await ready())?.message).toContain('remove it from the spec'), settled);
  expect(await ready()).toMatchObject({ status: 'False', reason: 'TLSVerificationRequired' });
  expect(await ask()).toBe(503);
  expect(foreign.requests).toEqual([]);

  await fleet.controlPlane.patch(`${clustersPath}/gondor`, 'merge', { spec: { insecureSkipTLSVerification: null } });
  await using _honest = startAgent(fleet.product, token, gondor, { credentials });
  await vi.waitFor(async () => expect(await ask()).toBe(200), settled);
  expect(foreign.requests).toEqual([]);
});
