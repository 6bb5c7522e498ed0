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
    expect((await events.next()).value).toMatchObject({ type: 'DELETED' });
  });
});
