import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const path = '/apis/apps/v1/namespaces/default/deployments?fieldValidation=Strict';

it.each([
  [
    '{"unknownField":1,"replicas":2,"replicas":3}',
    'unknown field "spec.unknownField", duplicate field "spec.replicas"',
  ],
  [
    '{"replicas":2,"replicas":3,"unknownField":1}',
    'duplicate field "spec.replicas", unknown field "spec.unknownField"',
  ],
  [
    '{"replicas":2,"a":1,"replicas":3,"b":1}',
    'unknown field "spec.a", duplicate field "spec.replicas", unknown field "spec.b"',
  ],
])('COMPAT-4: unknown and duplicate fields are reported in the order of the body: %s', async (spec, faults) => {
  const { ask } = await openServer();
  const { status, body } = await ask('POST', path, `{"metadata":{"name":"a"},"spec":${spec}}`);
  expect(status).toBe(400);
  expect(body['message']).toBe(
    `Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: ${faults}`,
  );
});
