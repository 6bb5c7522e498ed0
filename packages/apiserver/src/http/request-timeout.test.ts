import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

it.each([
  ['invalid', 'invalid duration "invalid"'],
  ['-', 'invalid duration "-"'],
  ['5', 'missing unit in duration "5"'],
  ['1h5', 'missing unit in duration "1h5"'],
  ['5x', 'unknown unit "x" in duration "5x"'],
  ['.s', 'invalid duration ".s"'],
])('COMPAT-4: timeout=%s is refused', async (timeout, why) => {
  const { ask } = await openServer();
  for (const path of ['/version', '/api/v1/configmaps']) {
    expect(await ask('GET', `${path}?timeout=${timeout}`)).toMatchObject({
      status: 400,
      body: { reason: 'BadRequest', message: `invalid timeout specified in the request URL - time: ${why}` },
    });
  }
});

it.each(['3m', '0s', '0', '1.5h', '1h30m', ''])('timeout=%s is none of the client’s mistakes', async (timeout) => {
  const { ask } = await openServer();
  expect((await ask('GET', `/version?timeout=${timeout}`)).status).toBe(200);
});

it('a watch has no timeout of this kind', async () => {
  const { ask, watch } = await openServer();
  const events = await watch('/api/v1/configmaps?watch=1&timeout=invalid');
  await ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  expect((await events.next()).value).toMatchObject({ type: 'ADDED' });
});
