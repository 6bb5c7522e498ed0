import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const path = '/api/v1/namespaces/default/pods/a';
const yaml = { 'content-type': 'application/apply-patch+yaml' };
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
const status = { ...pod, status: { conditions: [{ type: 'Mine', status: 'True' }] } };

it('COMPAT-4: a status that is applied to the object itself is neither set nor owned', async () => {
  const { ask } = await openServer();
  const spec = { containers: [{ name: 'c', image: 'c' }] };
  await ask('PATCH', `${path}?fieldManager=one`, { ...pod, spec }, yaml);
  const passed = await ask('PATCH', `${path}?fieldManager=two`, status, yaml);
  expect(passed.status).toBe(200);
  expect(passed.body['status']).not.toHaveProperty('conditions');
  const applied = await ask('PATCH', `${path}/status?fieldManager=three`, status, yaml);
  expect(applied).toMatchObject({ status: 200, body: { status: { conditions: [{ type: 'Mine' }] } } });
});
