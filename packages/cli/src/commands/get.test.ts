import { warningHeader } from '@fleet/kube/warning.ts';
import { expect, test } from 'vitest';
import { startFakeFleet } from '../testing/fake-fleet.ts';

const table = (names: string[], metadata = {}) => ({
  kind: 'Table',
  metadata: { resourceVersion: '7', ...metadata },
  columnDefinitions: [{ name: 'Name', type: 'string', format: 'name' }],
  rows: names.map((name) => ({ cells: [name], object: { metadata: { name, namespace: 'shop' } } })),
});

const paths = (server: { requests: { url?: string | undefined }[] }) =>
  server.requests.map(({ url }) => url!).filter((url) => url.includes('/v1/'));

test('a list is asked for in pages of 500, and printed with the warnings of the server', async () => {
  const { server, run } = await startFakeFleet(({ url }, response) => {
    const isFirst = !url!.includes('continue=');
    response.setHeader('warning', warningHeader('member2 cannot be reached'));
    response.end(JSON.stringify(isFirst ? table(['a'], { continue: 'n/1' }) : table(['b'])));
  });
  expect(await run('get', 'po')).toEqual({
    stdout: 'NAME\na\nb\n',
    stderr: 'Warning: member2 cannot be reached\n',
  });
  expect(paths(server)).toEqual([
    '/api/v1/namespaces/shop/pods?limit=500',
    '/api/v1/namespaces/shop/pods?limit=500&continue=n%2F1',
  ]);
});

test('nothing found is said on standard error', async () => {
  const { run } = await startFakeFleet((_, response) => response.end(JSON.stringify(table([]))));
  expect(await run('get', 'pods')).toEqual({ stdout: '', stderr: 'No resources found in shop namespace.\n' });
  expect(await run('get', 'pods,deploy', '-A')).toEqual({ stdout: '', stderr: 'No resources found\n' });
});

test('selectors and namespaces are those of the flags', async () => {
  const { server, run } = await startFakeFleet((_, response) => response.end(JSON.stringify(table(['x']))));
  await run('get', 'pods', '-n', 'a.clusterspace.member1', '-l', 'app=x');
  await run('get', 'pods', '-A');
  expect(paths(server)).toEqual([
    '/api/v1/namespaces/a.clusterspace.member1/pods?labelSelector=app%3Dx&limit=500',
    '/api/v1/pods?limit=500',
  ]);
});

test('what one type fails with does not hide the others', async () => {
  const { run } = await startFakeFleet(({ url }, response) => {
    if (url!.includes('/pods')) response.end(JSON.stringify(table(['x'])));
    else response.writeHead(403).end(JSON.stringify({ kind: 'Status', reason: 'Forbidden', message: 'no' }));
  });
  await expect(run('get', 'deploy,pods')).rejects.toMatchObject({ message: 'no', stdout: 'NAME\npod/x\n' });
});

test('-w prints the list, then the rows of events under the same heading', async () => {
  const { server, run } = await startFakeFleet(({ url }, response) => {
    if (!url!.includes('watch=true')) return response.end(JSON.stringify(table(['a', 'long-name'])));
    const event = (object: unknown) => `${JSON.stringify({ type: 'MODIFIED', object })}\n`;
    return response.end(event(table(['b'])) + event({ kind: 'Table', rows: [{ cells: ['c'] }] }));
  });
  expect((await run('get', 'pods', '-w')).stdout).toBe('NAME\na\nlong-name\nb\nc\n');
  expect(paths(server).at(-1)).toBe('/api/v1/namespaces/shop/pods?watch=true&resourceVersion=7');
});

test('-w ends with the error that the server sends', async () => {
  const { run } = await startFakeFleet(({ url }, response) => {
    if (!url!.includes('watch=true')) return response.end(JSON.stringify(table(['a'])));
    const object = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
    return response.end(`${JSON.stringify({ type: 'ERROR', object })}\n`);
  });
  await expect(run('get', 'pods', '-w')).rejects.toThrow('too old');
});

test('-o name asks for metadata only', async () => {
  const { server, run } = await startFakeFleet((_, response) =>
    response.end(
      JSON.stringify({ kind: 'PartialObjectMetadataList', metadata: {}, items: [{ metadata: { name: 'x' } }] }),
    ),
  );
  expect((await run('get', 'deploy', '-o', 'name')).stdout).toBe('deployment.apps/x\n');
  expect(server.requests.at(-1)!.headers.accept).toContain('as=PartialObjectMetadataList');
});

test('CACHE-2: registries are the fleet’s own, whatever the kubeconfig is aimed at', async () => {
  const { server, run } = await startFakeFleet(({ url }, response) =>
    response.end(
      JSON.stringify(url!.endsWith('resourceregistries') ? table(['maps']) : { metadata: { name: 'maps' } }),
    ),
  );
  const at = '/clusterspaces/karmada/apis/search.karmada.io/v1alpha1/resourceregistries';
  expect((await run('get', 'registries')).stdout).toBe('NAME\nmaps\n');
  expect((await run('get', 'rr', '-o', 'name')).stdout).toBe('resourceregistry.search.karmada.io/maps\n');
  expect((await run('get', 'registry', 'maps', '-o', 'yaml')).stdout).toBe('metadata:\n  name: maps\n');
  expect(server.requests.map(({ url }) => url).filter((url) => url !== '/version')).toEqual([at, at, `${at}/maps`]);
});

test('no registries yet', async () => {
  const { run } = await startFakeFleet((_, response) => response.end(JSON.stringify(table([]))));
  expect(await run('get', 'registries')).toEqual({
    stdout: '',
    stderr: 'No registries yet: nothing is cached. A ResourceRegistry names the kinds that are to be\n',
  });
});
