import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { definitionsPath, widgetsOf } from '../testing/widgets.ts';

const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const path = `${definitionsPath}/widgets.example.com`;

it('a definition takes its objects along though none of its versions is served, and made again has none', async () => {
  const { ask } = await openServer();
  const status = async (at: string) => (await ask('GET', at)).status;
  const definition = widgetsOf('example.com', { type: 'object' });
  const define = async () => {
    await ask('POST', definitionsPath, definition);
    await expect.poll(() => status(widgets), { timeout: 10_000 }).toBe(200);
  };
  await define();
  const finalizers = ['example.com/hold'];
  const old = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'old' } };
  await ask('POST', widgets, old);
  await ask('POST', widgets, { ...old, metadata: { name: 'held', finalizers } });
  const serve = (served: boolean) =>
    ask('PATCH', path, [{ op: 'replace', path: '/spec/versions/0/served', value: served }], {
      'content-type': 'application/json-patch+json',
    });
  await serve(false);
  await expect.poll(() => status(widgets)).toBe(404);
  await ask('DELETE', path);
  // Kept by its remaining objects.
  await serve(true);
  await expect
    .poll(async () => (await ask('GET', widgets)).body.items ?? [])
    .toMatchObject([{ metadata: { finalizers } }]);
  await ask(
    'PATCH',
    `${widgets}/held`,
    { metadata: { finalizers: null } },
    { 'content-type': 'application/merge-patch+json' },
  );
  await expect.poll(() => status(path), { timeout: 10_000 }).toBe(404);
  await define();
  expect((await ask('GET', widgets)).body.items).toEqual([]);
});
