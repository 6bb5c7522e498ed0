import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHookServer } from '@fleet/federation/explore/hooks/testing/hook-server.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Explored } from '../explore/ask.ts';
import { createProgram } from '../program.ts';
import { type FederatedFleet, put, startFederatedFleet } from '../testing/federated-fleet.ts';
import { deployment } from '../testing/propagated.ts';

type HookServer = Awaited<ReturnType<typeof startHookServer>>;
type Fields = Record<string, unknown>;

const widget = { apiVersion: 'example.io/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 3 } };

let fleet: FederatedFleet;
let folder: string;
let server: HookServer;
/** The response to a request, but for its uid. */
let response: (request: Fields) => Fields;

beforeEach(async () => {
  fleet = await startFederatedFleet();
  folder = await mkdtemp(join(tmpdir(), 'fleet-explore-'));
  response = () => ({ replicas: 3 });
  server = await startHookServer((body, out) => {
    const { request } = JSON.parse(body) as { request: Fields };
    out.end(JSON.stringify({ response: { uid: request['uid'], ...response(request) } }));
  });
  await writeFile(join(folder, 'ca.crt'), server.ca);
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function file(object: object, name = 'object.yaml'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(object));
  return path;
}

const configuration = (more: Fields = {}, kind = 'ResourceExploringWebhookConfiguration') => ({
  ...{ apiVersion: 'config.karmada.io/v1alpha1', kind, metadata: { name: 'widgets' } },
  webhooks: [
    {
      name: 'widgets.example.io',
      clientConfig: { url: server.url, caBundle: Buffer.from(server.ca).toString('base64') },
      exploreReviewVersions: ['v1alpha1'],
      rules: [{ operations: ['*'], apiGroups: ['example.io'], apiVersions: ['*'], resources: ['widgets'] }],
      ...more,
    },
  ],
});

const configure = (more: Fields = {}) =>
  put(fleet.controlPlane, 'config.karmada.io', 'resourceexploringwebhookconfigurations', configuration(more));

const explore = async (operation: string, ...flags: string[]) =>
  fleet.run('explore', await file(widget), '--operation', operation, ...flags);
const exploreUrl = async (operation: string, ...flags: string[]) =>
  explore(operation, '--url', server.url, '--ca', join(folder, 'ca.crt'), ...flags);
const exploredIn = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Explored;

const patch = (...list: unknown[]) => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(list)).toString('base64'),
});

describe('EXP-3, EXP-4: fleet explore', () => {
  test('asks the webhook that the fleet has configured, and shows the answer', async () => {
    configure();
    const { stdout, stderr } = await explore('ExploreReplica');
    expect(stdout).toBe('replicas: 3\n');
    expect(stderr).toMatch(/^ExploreReplica: answered by webhook "widgets\.example\.io" of "widgets" in \d+ ms\n$/);
    const { request } = JSON.parse(server.requests[0]!.body) as { request: Fields };
    expect(request).toMatchObject({
      operation: 'ExploreReplica',
      kind: { group: 'example.io', version: 'v1', kind: 'Widget' },
      namespace: 'shop',
      object: { spec: { size: 3 } },
    });
  });

  test('a patch is shown with what becomes of the object', async () => {
    response = ({ replicas }) => patch({ op: 'replace', path: '/spec/size', value: replicas });
    const explored = exploredIn(await exploreUrl('ExploreReplicaRevising', '--replicas', '2', '-o', 'json'));
    expect(explored).toMatchObject({
      answeredBy: { is: 'webhook' },
      patch: [{ op: 'replace', path: '/spec/size', value: 2 }],
      answer: { kind: 'Widget', spec: { size: 2 } },
    });
  });

  test("EXP-2: Karmada's names ask in Karmada's review", async () => {
    response = () => ({ successful: true, rawStatus: { ready: 1 } });
    expect((await exploreUrl('interpretstatus')).stdout).toBe('ready: 1\n');
    expect(JSON.parse(server.requests[0]!.body)).toMatchObject({
      kind: 'ResourceInterpreterContext',
      request: { operation: 'InterpretStatus' },
    });
  });

  test('each operation sends what it needs', async () => {
    response = (request) => {
      const names: Record<string, Fields> = {
        ExploreHealthy: { healthy: false },
        ExploreDependencies: { dependencies: [{ apiVersion: 'v1', kind: 'Secret', namespace: 'x', name: 's' }] },
        ExploreStatus: { status: { ready: 2 } },
      };
      return names[request['operation'] as string] ?? {};
    };
    const answer = async (operation: string, ...flags: string[]) =>
      exploredIn(await exploreUrl(operation, '-o', 'json', ...flags)).answer;
    expect(await answer('ExploreHealthy')).toBe('Unhealthy');
    expect(await answer('ExploreStatus')).toEqual({ ready: 2 });
    expect(await answer('ExploreDependencies')).toMatchObject([{ kind: 'Secret', name: 's' }]);
    expect(await answer('ExplorePacking')).toEqual(widget);
    const observed = await file({ ...widget, spec: { size: 9 } }, 'observed.yaml');
    expect(await answer('ExploreRetaining', '--observed', observed)).toEqual(widget);
    const binding = await file(
      {
        ...{ apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding', metadata: { name: 'w' } },
        status: { aggregatedStatus: [{ clusterName: 'm1', status: { ready: 1 } }] },
      },
      'binding.yaml',
    );
    expect(await answer('ExploreStatusAggregating', '--statuses', binding)).toEqual(widget);
    const sent = server.requests.map(({ body }) => (JSON.parse(body) as { request: Fields }).request);
    expect(sent.find(({ operation }) => operation === 'ExploreRetaining')).toMatchObject({
      observedObject: { spec: { size: 9 } },
    });
    expect(sent.find(({ operation }) => operation === 'ExploreStatusAggregating')).toMatchObject({
      aggregatedStatus: [{ clusterName: 'm1' }],
    });
  });

  test.each<[string, Fields, string]>([
    ['ExploreReplica', {}, 'response.replicas is missing'],
    ['ExploreReplica', { replicas: 'three' }, 'response.replicas'],
    ['ExploreReplica', { replicas: 1, uid: 'another' }, 'response.uid is not that of the request'],
    ['ExplorePacking', { patchType: 'JSONPatch' }, 'response.patch is missing where the other is given'],
    ['ExplorePacking', patch({ op: 'replace', path: '/metadata/name', value: 'x' }), '/metadata/name'],
    ['InterpretHealth', { successful: false, status: { code: 7, message: 'no' } }, 'it reports code 7: no'],
  ])('%s answered with %j is wrong', async (operation, answer, message) => {
    response = () => answer;
    await expect(exploreUrl(operation)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.stringContaining('It answered: {"response":'),
    });
  });

  test('one that cannot be reached: from this machine', async () => {
    configure({ clientConfig: { url: 'https://127.0.0.1:1/' } });
    await expect(explore('ExploreReplica')).rejects.toMatchObject({ hint: expect.stringContaining('this machine') });
  });

  test('EXP-5: one that may be ignored is a warning, and the answer is that without it', async () => {
    configure({ failurePolicy: 'Ignore' });
    response = () => ({});
    const { stderr, stdout } = await explore('ExploreReplica', '-o', 'json');
    expect(stderr).toContain('response.replicas is missing');
    expect(JSON.parse(stdout)).toMatchObject({ answeredBy: { is: 'default' }, answer: null });
  });

  test('without a webhook it is the native rule, or what holds for every kind', async () => {
    const own = await fleet.run('explore', await file(deployment('web', 4)), '--operation', 'ExploreReplica');
    expect(own.stdout).toContain('replicas: 4');
    expect(own.stderr).toContain('native rule');
    expect((await explore('ExploreHealthy')).stdout).toBe('Healthy\n');
  });

  test('EXP-6: a configuration of a file is tried before it is applied, and its faults are reported', async () => {
    const path = await file(configuration(), 'configuration.yaml');
    expect((await explore('ExploreReplica', '--configuration', path)).stdout).toBe('replicas: 3\n');
    const broken = await file(configuration({ timeoutSeconds: 99 }), 'configuration.yaml');
    await expect(explore('ExploreReplica', '--configuration', broken)).rejects.toThrow(
      'would be refused: webhooks[0].timeoutSeconds',
    );
    await expect(explore('ExploreReplica', '--configuration', await file(widget, 'w.yaml'))).rejects.toThrow(
      'is no configuration of webhooks',
    );
  });

  test.each([
    [['Nothing'], 'use ExploreReplica, InterpretReplica'],
    [['ExploreReplicaRevising'], 'needs --replicas'],
    [['ExploreRetaining'], 'needs --observed'],
    [['ExploreReplica', '--replicas', '3'], 'has no --replicas'],
    [['ExploreReplicaRevising', '--replicas', 'x'], '--replicas takes a number'],
    [['ExploreReplica', '--url', 'http://x'], 'is no https URL'],
    [['ExploreReplica', '--ca', 'x'], '--ca is for --url'],
    [['ExploreReplica', '--url', 'https://x', '--configuration', 'y'], 'cannot both be given'],
  ])('called wrongly: %j', async ([operation, ...flags], message) => {
    await expect(explore(operation!, ...flags)).rejects.toThrow(message);
  });

  test('with a URL no fleet is needed', async () => {
    const args = ['--url', server.url, '--ca', join(folder, 'ca.crt'), '--fleet-kubeconfig', '/nowhere'];
    const path = await file(widget);
    await createProgram().parseAsync(['explore', path, '--operation', 'ExploreReplica', '-o', 'json', ...args], {
      from: 'user',
    });
    expect(server.requests).toHaveLength(1);
  });
});
