import { describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../testing/open-server.ts';

const pods = '/api/v1/namespaces/default/pods';
const spec = { containers: [{ name: 'c', image: 'nginx' }] };
const merge = { 'content-type': 'application/merge-patch+json' };

const bind = ({ ask }: TestServer, name = 'a', node = 'n') =>
  ask('POST', `${pods}/${name}/binding`, { metadata: { name }, target: { kind: 'Node', name: node } });

const setStatus = ({ ask }: TestServer, status: object, name = 'a') =>
  ask('PATCH', `${pods}/${name}/status`, { status }, merge);

describe('binding', () => {
  it('gives a pod to a node, once', async () => {
    const server = await openServer();
    await server.ask('POST', pods, { metadata: { name: 'a', annotations: { x: '1' } }, spec });
    const { status, body } = await server.ask('POST', `${pods}/a/binding`, {
      metadata: { name: 'a', annotations: { y: '2' } },
      target: { name: 'n' },
    });
    expect([status, body]).toEqual([
      201,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    ]);
    const pod = await server.ask('GET', `${pods}/a`);
    expect(pod.body).toMatchObject({
      metadata: { annotations: { x: '1', y: '2' }, generation: 1 },
      spec: { nodeName: 'n' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True', lastProbeTime: null }] },
    });
    expect(await bind(server)).toMatchObject({
      status: 409,
      body: { message: 'Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "n"' },
    });
  });

  it('refuses pods that are gated, and targets that are no node', async () => {
    const server = await openServer();
    await server.ask('POST', pods, {
      metadata: { name: 'a' },
      spec: { ...spec, schedulingGates: [{ name: 'x.y/z' }] },
    });
    expect((await bind(server)).body['message']).toContain('pod a has non-empty .spec.schedulingGates');
    const other = await server.ask('POST', `${pods}/a/binding`, { metadata: { name: 'a' }, target: { kind: 'Pod' } });
    expect(other.body).toMatchObject({
      code: 500,
      message:
        '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
    });
  });
});

describe('deletion', () => {
  it('of a pod that no node has is at once, after it was marked', async () => {
    const server = await openServer();
    await server.ask('POST', pods, { metadata: { name: 'a' }, spec });
    const events = await server.watch(`${pods}?watch=1`);
    expect((await events.next()).value.type).toBe('ADDED');
    const { body } = await server.ask('DELETE', `${pods}/a`);
    expect(body).toMatchObject({ kind: 'Pod', metadata: { deletionGracePeriodSeconds: 0, generation: 2 } });
    const marked = (await events.next()).value;
    expect([marked.type, marked.object.metadata['deletionGracePeriodSeconds']]).toEqual(['MODIFIED', 0]);
    expect((await events.next()).value.type).toBe('DELETED');
  });

  it('of a pod on a node waits for the kubelet, and may only become shorter', async () => {
    const server = await openServer();
    await server.ask('POST', pods, { metadata: { name: 'a' }, spec });
    await bind(server);
    const first = (await server.ask('DELETE', `${pods}/a`)).body;
    expect(first.metadata).toMatchObject({ deletionGracePeriodSeconds: 30, generation: 2 });
    expect(Date.parse(String(first.metadata!['deletionTimestamp'])) - Date.now()).toBeGreaterThan(25_000);
    const longer = await server.ask('DELETE', `${pods}/a?gracePeriodSeconds=60`);
    expect(longer.body.metadata).toMatchObject({ deletionGracePeriodSeconds: 30, generation: 2 });
    const shorter = await server.ask('DELETE', `${pods}/a?gracePeriodSeconds=5`);
    expect(shorter.body.metadata).toMatchObject({ deletionGracePeriodSeconds: 5, generation: 2 });
    expect((await server.ask('DELETE', `${pods}/a`, { gracePeriodSeconds: 0 })).status).toBe(200);
    expect((await server.ask('GET', `${pods}/a`)).status).toBe(404);
  });

  it('of a pod with a finalizer leaves it until that is gone', async () => {
    const server = await openServer();
    await server.ask('POST', pods, { metadata: { name: 'a', finalizers: ['x.y/z'] }, spec });
    expect((await server.ask('DELETE', `${pods}/a?gracePeriodSeconds=0`)).status).toBe(200);
    expect((await server.ask('GET', `${pods}/a`)).body.metadata).toMatchObject({ deletionGracePeriodSeconds: 0 });
    await server.ask('PATCH', `${pods}/a`, { metadata: { finalizers: null } }, merge);
    expect((await server.ask('GET', `${pods}/a`)).status).toBe(404);
  });
});

describe('eviction', () => {
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const evict = ({ ask }: TestServer) =>
    ask('POST', `${pods}/a/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } });

  async function withPod(ready = 'True'): Promise<TestServer> {
    const server = await openServer();
    await server.ask('POST', pods, { metadata: { name: 'a', labels: { app: 'x' } }, spec });
    await bind(server);
    await setStatus(server, { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] });
    return server;
  }

  const withBudget = async ({ ask }: TestServer, status: object) => {
    const made = await ask('POST', budgets, {
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } },
    });
    expect(made.status).toBe(201);
    const updated = await ask('PATCH', `${budgets}/b/status`, { status: { observedGeneration: 1, ...status } }, merge);
    expect(updated.status).toBe(200);
  };

  it('without a budget deletes the pod gracefully, with a reason', async () => {
    const server = await withPod();
    expect((await evict(server)).status).toBe(201);
    expect((await server.ask('GET', `${pods}/a`)).body).toMatchObject({
      metadata: { deletionGracePeriodSeconds: 30 },
      status: { conditions: [{ type: 'Ready' }, { type: 'DisruptionTarget', reason: 'EvictionByEvictionAPI' }] },
    });
  });

  it('takes one of the disruptions that are allowed', async () => {
    const server = await withPod();
    await withBudget(server, { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 });
    expect((await evict(server)).status).toBe(201);
    expect((await server.ask('GET', `${budgets}/b`)).body['status']).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { a: expect.any(String) },
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
    });
  });

  it('is refused if none is allowed', async () => {
    const server = await withPod();
    await withBudget(server, { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 });
    expect(await evict(server)).toMatchObject({
      status: 429,
      body: {
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        reason: 'TooManyRequests',
        details: {
          causes: [
            { reason: 'DisruptionBudget', message: 'The disruption budget b needs 1 healthy pods and has 1 currently' },
          ],
        },
      },
    });
    expect((await server.ask('GET', `${pods}/a`)).body.metadata).not.toHaveProperty('deletionTimestamp');
  });

  it('of a pod that is not ready needs no disruption while the others are healthy', async () => {
    const server = await withPod('False');
    await withBudget(server, { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 2 });
    expect((await evict(server)).status).toBe(201);
  });
});
