import { expect, it } from 'vitest';
import { openServer } from '../../testing/open-server.ts';

const both = { cpu: '1', memory: '1Gi' };

it.each([
  ['BestEffort', [{}, {}]],
  ['Burstable', [{ requests: { cpu: '1' } }]],
  ['Burstable', [{ limits: both }, {}]],
  ['Burstable', [{ limits: both, requests: { cpu: '500m', memory: '1Gi' } }]],
  ['Guaranteed', [{ limits: both }, { limits: both, requests: both }]],
])('COMPAT-4: a new pod waits, and is %s', async (qosClass, asked) => {
  const { ask } = await openServer();
  const containers = asked.map((resources, index) => ({ name: `c${index}`, image: 'c', resources }));
  const { body } = await ask('POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: 'a' },
    spec: { containers },
    status: { phase: 'Running' },
  });
  expect(body['status']).toEqual({ phase: 'Pending', qosClass });
});

it('ERR-4: one without containers is not an error of the server', async () => {
  const { ask, internalErrors } = await openServer();
  const pod = { metadata: { name: 'a' } };
  const refused = await ask('POST', '/api/v1/namespaces/default/pods', pod);
  expect([refused.status, refused.body['message']]).toEqual([
    422,
    'Pod "a" is invalid: spec.containers: Required value',
  ]);
  expect(internalErrors).toEqual([]);
});
