import { expect, it } from 'vitest';
import { openServer } from '../../testing/open-server.ts';

const url = '/api/v1/namespaces/default/services';
const merge = { 'content-type': 'application/merge-patch+json' };
const service = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });

interface Spec {
  clusterIP?: string;
  clusterIPs?: string[];
  ports?: { nodePort?: number }[];
  healthCheckNodePort?: number;
}

const specOf = ({ body }: { body: Record<string, unknown> }): Spec => body['spec'] as Spec;

it('a Service is given a cluster IP that no other has, also of many at once', async () => {
  const { ask } = await openServer();
  const made = await Promise.all(
    Array.from({ length: 40 }, (_, index) => ask('POST', url, service(`s${index}`, { type: 'NodePort' }))),
  );
  expect(new Set(made.map((one) => specOf(one).clusterIP)).size).toBe(40);
  expect(new Set(made.map((one) => specOf(one).ports![0]!.nodePort)).size).toBe(40);
  expect(made[0]!.body['spec']).toMatchObject({
    clusterIP: expect.stringMatching(/^10\.(9[6-9]|10\d|11[01])\./),
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
    externalTrafficPolicy: 'Cluster',
    sessionAffinity: 'None',
  });
});

it('one that is asked for must be free, and is free again when its Service is gone', async () => {
  const { ask } = await openServer();
  const requested = { clusterIP: '10.96.0.10', type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] };
  expect((await ask('POST', url, service('a', requested))).status).toBe(201);
  expect((await ask('POST', url, service('b', requested))).body['message']).toBe(
    'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.10"]: failed to allocate IP 10.96.0.10: provided IP is already allocated',
  );
  const port = await ask('POST', url, service('b', { ...requested, clusterIP: '10.96.0.11' }));
  expect(port.body['message']).toBe(
    'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
  );
  const outside = await ask('POST', url, service('b', { clusterIP: '10.0.0.1' }));
  expect(outside.body['message']).toContain('the provided network does not match the current range');
  await ask('DELETE', `${url}/a`);
  expect((await ask('POST', url, service('b', requested))).status).toBe(201);
});

it('a change of type takes and gives back what the type has', async () => {
  const { ask } = await openServer();
  const { clusterIP } = specOf(await ask('POST', url, service('a')));
  const load = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
  const wider = await ask('PATCH', `${url}/a`, { spec: load }, merge);
  expect(specOf(wider)).toMatchObject({ clusterIP, healthCheckNodePort: expect.any(Number) });
  expect(specOf(wider).ports![0]!.nodePort).toBeGreaterThanOrEqual(30_000);
  const again = await ask('PUT', `${url}/a`, service('a', load));
  expect(specOf(again)).toEqual(specOf(wider));
  const narrow = specOf(await ask('PATCH', `${url}/a`, { spec: { type: 'ClusterIP' } }, merge));
  expect(narrow).toMatchObject({ clusterIP, ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] });
  for (const field of ['healthCheckNodePort', 'externalTrafficPolicy', 'allocateLoadBalancerNodePorts'])
    expect(narrow).not.toHaveProperty(field);
  const external = { type: 'ExternalName', externalName: 'example.dev' };
  const named = await ask('PATCH', `${url}/a`, { spec: external }, merge);
  expect(named.body['spec']).not.toHaveProperty('clusterIP');
  const back = specOf(await ask('PATCH', `${url}/a`, { spec: { type: 'ClusterIP', externalName: null } }, merge));
  expect(back.clusterIPs).toEqual([back.clusterIP]);
});

it("one without an address stays so, and one for others' endpoints has both families", async () => {
  const { ask } = await openServer();
  const headless = await ask('POST', url, service('a', { clusterIP: 'None', selector: { a: 'b' } }));
  expect(headless.body['spec']).toMatchObject({ clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'] });
  const open = await ask('POST', url, service('b', { clusterIP: 'None' }));
  expect(open.body['spec']).toMatchObject({ ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' });
});

it('a large Service is given what a small one is, on its thread', { timeout: 60_000 }, async () => {
  const { ask } = await openServer();
  const metadata = { name: 'a', annotations: { x: 'y'.repeat(40_000) } };
  const large = await ask('POST', url, { ...service('a'), metadata });
  expect(specOf(large).clusterIP).toMatch(/^10\./);
  const taken = { clusterIP: specOf(large).clusterIP };
  expect((await ask('POST', url, service('b', taken))).body['message']).toContain('provided IP is already allocated');
  const both = await ask('POST', url, { ...service('b', taken), metadata: { ...metadata, name: 'b' } });
  expect(both.body['message']).toContain('provided IP is already allocated');
});

it('the Endpoints of a Service go with it', async () => {
  const { ask } = await openServer();
  await ask('POST', url, service('a'));
  const endpoints = url.replace('services', 'endpoints');
  await ask('POST', endpoints, { metadata: { name: 'a' }, subsets: [] });
  await ask('DELETE', `${url}/a`);
  expect((await ask('GET', `${endpoints}/a`)).status).toBe(404);
});
