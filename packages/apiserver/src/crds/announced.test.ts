import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

it('COMPAT-4: what discovery tells of is established, so that its definition may be changed at once', async () => {
  const { ask } = await openServer();
  for (let round = 0; round < 10; round += 1) {
    const group = `g${round}.example.com`;
    const schema = { openAPIV3Schema: { type: 'object' } };
    await ask('POST', definitions, {
      metadata: { name: `widgets.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    await expect.poll(async () => (await ask('GET', `/apis/${group}/v1`)).status, { interval: 1 }).toBe(200);
    const { body } = await ask('GET', `${definitions}/widgets.${group}`);
    expect((await ask('PUT', `${definitions}/widgets.${group}`, body)).status).toBe(200);
    const { conditions } = body['status'] as { conditions: { type: string; status: string }[] };
    expect(conditions.find(({ type }) => type === 'Established')).toMatchObject({ status: 'True' });
  }
});
