import { expect, it } from 'vitest';
import { temporaryDirectory } from '../store/testing/temporary-directory.ts';
import { openServer } from '../testing/open-server.ts';

const older = (kind: string, name: string, spec: object) => ({
  key: `/registry/${kind.toLowerCase()}s/default/${name}`,
  value: Buffer.from(
    JSON.stringify({ kind, apiVersion: 'v1', metadata: { name, namespace: 'default', uid: name }, spec }),
  ),
});

it('objects of an earlier version have their defaults, and an address from their next write on', async () => {
  const directory = temporaryDirectory();
  const { ask } = await openServer({
    directory,
    store: async (store) => {
      await store.write({ op: 'create', ...older('Pod', 'p', { containers: [{ name: 'c', image: 'nginx' }] }) });
      await store.write({ op: 'create', ...older('Service', 's', { ports: [{ port: 80 }] }) });
      return store;
    },
  });
  const pod = await ask('GET', '/api/v1/namespaces/default/pods/p');
  expect(pod.body['spec']).toMatchObject({
    restartPolicy: 'Always',
    containers: [{ imagePullPolicy: 'Always', terminationMessagePolicy: 'File' }],
  });
  const services = '/api/v1/namespaces/default/services';
  const service = await ask('GET', `${services}/s`);
  expect(service.body['spec']).toMatchObject({ type: 'ClusterIP', ports: [{ protocol: 'TCP', targetPort: 80 }] });
  const merge = { 'content-type': 'application/merge-patch+json' };
  const changed = await ask('PATCH', `${services}/s`, { metadata: { labels: { a: 'b' } } }, merge);
  expect(changed.body['spec']).toMatchObject({ clusterIP: expect.stringMatching(/^10\./), ipFamilies: ['IPv4'] });
});
