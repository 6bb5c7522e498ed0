import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { definitionsPath, widgetsOf } from '../testing/widgets.ts';

it('COMPAT-4: what discovery lists is established, so that its definition may be changed at once', async () => {
  const { ask } = await openServer();
  for (let round = 0; round < 10; round += 1) {
    const group = `g${round}.example.com`;
    await ask('POST', definitionsPath, widgetsOf(group, { type: 'object' }));
    await expect.poll(async () => (await ask('GET', `/apis/${group}/v1`)).status, { interval: 1 }).toBe(200);
    const { body } = await ask('GET', `${definitionsPath}/widgets.${group}`);
    expect((await ask('PUT', `${definitionsPath}/widgets.${group}`, body)).status).toBe(200);
    const { conditions } = body['status'] as { conditions: { type: string; status: string }[] };
    expect(conditions.find(({ type }) => type === 'Established')).toMatchObject({ status: 'True' });
  }
});
