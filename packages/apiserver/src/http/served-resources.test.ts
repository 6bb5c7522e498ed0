import { expect, it } from 'vitest';
import { customKind } from '../patch/managers/managed-kind.ts';
import { widgets } from '../registry/testing/kinds.ts';
import { openServer } from '../testing/open-server.ts';
import type { ObjectTypes } from './object-types.ts';

const anything: ObjectTypes = {
  read: (json) => ({
    ...json,
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: json['metadata'] as { name: string },
  }),
  managed: (subresource) => customKind('example.com/v1', 'Widget', () => ({}), { subresource }),
  patchType: undefined,
  kept: (object) => object,
};
const path = '/apis/example.com/v1/namespaces/default/widgets';
const widget = { metadata: { name: 'a' } };

it('a kind can be served later, and no more', async () => {
  const { ask, watch, server } = await openServer();
  expect((await ask('POST', path, widget)).status).toBe(404);
  let changes = 0;
  using _ = server.resources.onChange(() => (changes += 1));

  const served = await server.serve(widgets, anything);
  expect((await ask('POST', path, widget)).status).toBe(201);
  expect((await ask('GET', '/apis/example.com/v1')).body['resources']).toHaveLength(2);
  const events = await watch(`${path}?watch=1`);
  expect((await events.next()).value).toMatchObject({ type: 'ADDED', object: widget });

  await served[Symbol.asyncDispose]();
  expect(changes).toBe(2);
  expect((await events.next()).done).toBe(true);
  expect((await ask('GET', path)).status).toBe(404);
  expect((await ask('GET', '/apis/example.com/v1')).status).toBe(404);
});

it('its objects go with their namespace', async () => {
  const { ask, watch, server } = await openServer();
  await using _ = await server.serve(widgets, anything);
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'x' } });
  await ask('POST', path.replace('default', 'x'), widget);
  const events = await watch('/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dx');
  await ask('DELETE', '/api/v1/namespaces/x');
  for (;;) if ((await events.next()).value.type === 'DELETED') break;
  expect((await ask('GET', '/apis/example.com/v1/widgets')).body.items).toEqual([]);
});

it('strategic merge patches are for kinds that have a type', async () => {
  const { ask, server } = await openServer();
  await using _ = await server.serve(widgets, anything);
  await ask('POST', path, widget);
  const type = { 'content-type': 'application/strategic-merge-patch+json' };
  const { status, body } = await ask('PATCH', `${path}/a`, {}, type);
  expect(status).toBe(415);
  expect(body['message']).not.toContain('strategic');
});
