/** Paths that RequestInfo treats as a resource, but that no router of kube-apiserver serves. */

import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

it('CP-1: the core group has no other name', async () => {
  const { ask } = await openServer();
  expect((await ask('GET', '/apis//v1/namespaces/default/configmaps')).status).toBe(404);
  const made = await ask('POST', '/apis//v1/namespaces/default/configmaps', { metadata: { name: 'x' } });
  expect(made.status).toBe(404);
  expect((await ask('POST', '/apis//v1/namespaces/default/serviceaccounts/default/token', {})).status).toBe(404);
});

it('CP-1: the old prefix watch is for reading, and proxy leads nowhere', async () => {
  const { ask } = await openServer();
  const watched = '/api/v1/watch/namespaces/default/configmaps';
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect((await ask(method, `${watched}?timeoutSeconds=1`, {})).status, method).toBe(405);
  expect((await ask('GET', '/api/v1/watch/namespaces/default/resourcequotas/x/status')).status).toBe(404);
  expect((await ask('GET', '/api/v1/proxy/namespaces/default/configmaps')).status).toBe(404);
  const review = '/apis/authorization.k8s.io/v1/watch/namespaces/default/localsubjectaccessreviews';
  expect((await ask('POST', review, {})).status).toBe(404);
});

it('CP-1: a virtual resource has one path for every method, whatever the query', async () => {
  const { ask } = await openServer();
  const review = '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews';
  for (const query of ['', '?watch=true&timeoutSeconds=1', '?fieldSelector=metadata.name=x'])
    for (const method of ['GET', 'DELETE']) expect((await ask(method, `${review}${query}`)).status, query).toBe(405);
  expect((await ask('GET', `${review}/x`)).status).toBe(404);
});
