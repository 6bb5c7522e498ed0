import { describe, expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const space = (name: string) => ({ metadata: { name } });

describe('namespaces', () => {
  it('those of every cluster are there', async () => {
    const { ask } = await openServer();
    const { body } = await ask('GET', '/api/v1/namespaces');
    expect(body.items).toHaveLength(4);
    expect(body.items![0]).toMatchObject({
      metadata: { name: 'default', labels: { 'kubernetes.io/metadata.name': 'default' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  });

  it('take their contents with them', async () => {
    const { ask, watch, internalErrors } = await openServer();
    await ask('POST', '/api/v1/namespaces', space('x'));
    await ask('POST', '/api/v1/namespaces/x/configmaps', space('a'));
    await ask('POST', '/api/v1/namespaces/x/secrets', space('a'));
    const events = await watch('/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dx');
    const { body } = await ask('DELETE', '/api/v1/namespaces/x');
    expect(body).toMatchObject({ status: { phase: 'Terminating' } });
    expect(body.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
    for (;;) if ((await events.next()).value.type === 'DELETED') break;
    for (const kind of ['configmaps', 'secrets']) {
      expect((await ask('GET', `/api/v1/${kind}`)).body.items).toEqual([]);
    }
    expect(internalErrors).toEqual([]);
  });

  it('wait for contents that finalizers hold, and take nothing new meanwhile', async () => {
    const { ask, watch } = await openServer();
    await ask('POST', '/api/v1/namespaces', space('x'));
    const held = { metadata: { name: 'a', finalizers: ['example.com/hold'] } };
    await ask('POST', '/api/v1/namespaces/x/configmaps', held);
    await ask('DELETE', '/api/v1/namespaces/x');
    const refused = await ask('POST', '/api/v1/namespaces/x/configmaps', space('b'));
    expect(refused).toMatchObject({
      status: 403,
      body: {
        reason: 'Forbidden',
        message:
          'configmaps "b" is forbidden: unable to create new content in namespace x because it is being terminated',
        details: {
          causes: [
            { reason: 'NamespaceTerminating', message: 'namespace x is being terminated', field: 'metadata.namespace' },
          ],
        },
      },
    });
    const events = await watch('/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dx');
    expect((await events.next()).value).toMatchObject({ object: { status: { phase: 'Terminating' } } });
    await ask('PUT', '/api/v1/namespaces/x/configmaps/a', space('a'));
    for (;;) if ((await events.next()).value.type === 'DELETED') break;
  });

  it('report what they wait for, and delay no others', async () => {
    const { ask, watch } = await openServer();
    const held = (kind: string, name: string) =>
      ask('POST', `/api/v1/namespaces/x/${kind}`, { metadata: { name, finalizers: ['example.com/hold'] } });
    for (const name of ['x', 'y']) await ask('POST', '/api/v1/namespaces', space(name));
    for (const name of ['a', 'b']) await held('configmaps', name);
    await held('secrets', 'a');
    await ask('DELETE', '/api/v1/namespaces/x');
    const conditions = async () => {
      const { status } = (await ask('GET', '/api/v1/namespaces/x')).body as { status?: { conditions?: object[] } };
      return status?.conditions ?? [];
    };
    await expect.poll(conditions).toHaveLength(5);
    const [, , failure, content, finalizers] = await conditions();
    expect(failure).toMatchObject({ type: 'NamespaceDeletionContentFailure', status: 'False' });
    expect(content).toMatchObject({
      type: 'NamespaceContentRemaining',
      status: 'True',
      reason: 'SomeResourcesRemain',
      message: 'Some resources are remaining: configmaps. has 2 resource instances, secrets. has 1 resource instances',
    });
    expect(finalizers).toMatchObject({
      type: 'NamespaceFinalizersRemaining',
      message: 'Some content in the namespace has finalizers remaining: example.com/hold in 3 resource instances',
    });
    const events = await watch('/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dy');
    await ask('DELETE', '/api/v1/namespaces/y');
    for (;;) if ((await events.next()).value.type === 'DELETED') break;
    expect((await ask('GET', '/api/v1/namespaces/x')).status).toBe(200);
  });

  it('let pods go first', async () => {
    const { ask } = await openServer();
    await ask('POST', '/api/v1/namespaces', space('x'));
    await ask('POST', '/api/v1/namespaces/x/configmaps', space('a'));
    const spec = { containers: [{ name: 'c', image: 'c' }] };
    await ask('POST', '/api/v1/namespaces/x/pods', {
      metadata: { name: 'a', finalizers: ['example.com/hold'] },
      spec,
    });
    await ask('DELETE', '/api/v1/namespaces/x');
    const there = async (path: string) => (await ask('GET', path)).status;
    const pod = async () => (await ask('GET', '/api/v1/namespaces/x/pods/a')).body.metadata;
    await expect.poll(pod).toHaveProperty('deletionTimestamp');
    expect(await there('/api/v1/namespaces/x/configmaps/a')).toBe(200);
    await ask('PATCH', '/api/v1/namespaces/x/pods/a', '{"metadata":{"finalizers":null}}', {
      'content-type': 'application/merge-patch+json',
    });
    await expect.poll(() => there('/api/v1/namespaces/x'), { timeout: 5_000 }).toBe(404);
  });

  it('stay as long as somebody else holds them', async () => {
    const { ask } = await openServer();
    const { body } = await ask('POST', '/api/v1/namespaces', {
      ...space('x'),
      spec: { finalizers: ['example.com/x'] },
    });
    expect(body).toMatchObject({ spec: { finalizers: ['example.com/x', 'kubernetes'] } });
    await ask('DELETE', '/api/v1/namespaces/x');
    const namespace = async () => (await ask('GET', '/api/v1/namespaces/x')).body;
    await expect.poll(namespace).toMatchObject({ spec: { finalizers: ['example.com/x'] } });
    await ask('PUT', '/api/v1/namespaces/x/finalize', { ...(await namespace()), spec: {} });
    await expect.poll(async () => (await ask('GET', '/api/v1/namespaces/x')).status).toBe(404);
  });
});
