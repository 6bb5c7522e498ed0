import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';

const pods = '/api/v1/namespaces/default/pods';

it.each([
  [60, 60],
  // Nanoseconds beyond 64 bits overflow, as in Go.
  [10_000_000_000, 10_000_000_000 - 2 ** 64 / 1e9],
  [2 ** 53 - 1, Number(BigInt.asIntN(64, (2n ** 53n - 1n) * 1_000_000_000n)) / 1e9],
])('a grace period of %d seconds ends %d seconds from now', async (gracePeriodSeconds, seconds) => {
  const { ask } = await openServer();
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'c' }] };
  for (const [name, own, options] of [
    ['a', {}, { gracePeriodSeconds }],
    ['b', { terminationGracePeriodSeconds: gracePeriodSeconds }, undefined],
  ] as const) {
    await ask('POST', pods, { metadata: { name }, spec: { ...spec, ...own } });
    const before = Date.now();
    const { status, body } = await ask('DELETE', `${pods}/${name}`, options);
    expect(status).toBe(200);
    const metadata = body['metadata'] as { deletionTimestamp: string; deletionGracePeriodSeconds: number };
    expect(metadata.deletionGracePeriodSeconds).toBe(gracePeriodSeconds);
    const passed = (Date.parse(metadata.deletionTimestamp) - before) / 1000 - seconds;
    expect(Math.abs(passed)).toBeLessThan(30);
  }
});

it('one below zero is a second, also of a pod that is ending', async () => {
  const { ask } = await openServer();
  await ask('POST', pods, {
    metadata: { name: 'a' },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'c' }] },
  });
  for (const gracePeriodSeconds of [60, -5]) {
    const { body } = await ask('DELETE', `${pods}/a`, { gracePeriodSeconds });
    expect(body['metadata']).toMatchObject({ deletionGracePeriodSeconds: Math.max(1, gracePeriodSeconds) });
  }
});

it('the longest that there is can be cut short', async () => {
  const { ask } = await openServer();
  const longest =
    '{"metadata":{"name":"a"},"spec":{"nodeName":"n","terminationGracePeriodSeconds":9223372036854775807,"containers":[{"name":"c","image":"c"}]}}';
  expect((await ask('POST', pods, longest)).status).toBe(201);
  expect((await ask('DELETE', `${pods}/a`)).status).toBe(200);
  const { status, body } = await ask('DELETE', `${pods}/a`, { gracePeriodSeconds: 5 });
  expect({ status, metadata: body['metadata'] }).toMatchObject({
    status: 200,
    metadata: { deletionGracePeriodSeconds: 5 },
  });
  await ask('DELETE', `${pods}/a`, { gracePeriodSeconds: 0 });
  expect((await ask('GET', `${pods}/a`)).status).toBe(404);
});
