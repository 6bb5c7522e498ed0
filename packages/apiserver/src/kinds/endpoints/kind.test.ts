import { expect, it } from 'vitest';
import { openServer } from '../../testing/open-server.ts';

it('every request for Endpoints is answered with a warning, also one that is refused', async () => {
  const { ask } = await openServer();
  const path = '/api/v1/namespaces/default/endpoints';
  const requests = [
    ask('GET', path),
    ask('GET', `${path}/none`),
    ask('POST', path, { metadata: { name: 'web' }, subsets: [{ addresses: [{ ip: '10.0.0.1' }] }] }),
  ];
  for (const { headers } of await Promise.all(requests)) {
    expect(headers['warning']).toEqual([
      '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
    ]);
  }
  expect((await ask('GET', '/api/v1/services')).headers['warning']).toBeUndefined();
});
