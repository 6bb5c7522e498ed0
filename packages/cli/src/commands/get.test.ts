import { warningHeader } from '@fleet/kube/warning.ts';
import { expect, test } from 'vitest';
import { startFakeFleet } from '../testing/fake-fleet.ts';

const table = (names: string[], metadata = {}) => ({
  kind: 'Table',
  metadata: { resourceVersion: '7', ...metadata },
  columnDefinitions: [{ name: 'Name', type: 'string', format: 'name' }],
  rows: names.map((name) => ({ cells: [name], object: { metadata: { name, namespace: 'shop' } } })),
});

const cluster = (name: string, reason: string, more = {}) => ({
  metadata: { name, ...more },
  spec: { syncMode: 'Push', apiEndpoint: `https://${name}` },
  status: { conditions: [{ type: 'Ready', status: reason === 'ClusterReady' ? 'True' : 'False', reason }] },
});

const clusterTable = (...clusters: ReturnType<typeof cluster>[]) => ({
  kind: 'Table',
  metadata: { resourceVersion: '7' },
  columnDefinitions: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Ready', type: 'string', priority: 0 },
    { name: 'Age', type: 'date', priority: 0 },
    { name: 'Region', type: 'string', priority: 1 },
  ],
  rows: clusters.map((object) => ({
    cells: [object.metadata.name, object.status.conditions[0]!.status, '5s', null],
    object,
  })),
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

test('an empty list prints a line on standard error', async () => {
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
  const { server, run } = await startFakeFleet(({ url, headers }, response) => {
    const list = headers.accept!.includes('as=Table') ? table(['maps']) : { items: [{ metadata: { name: 'maps' } }] };
    response.end(JSON.stringify(/resourceregistries\?/.test(url!) ? list : { metadata: { name: 'maps' } }));
  });
  const at = '/clusterspaces/karmada/apis/search.karmada.io/v1alpha1/resourceregistries';
  expect((await run('get', 'registries')).stdout).toBe('NAME\nmaps\n');
  expect((await run('get', 'rr', '-o', 'name')).stdout).toBe('resourceregistry.search.karmada.io/maps\n');
  expect((await run('get', 'registry', 'maps', '-o', 'yaml')).stdout).toBe('metadata:\n  name: maps\n');
  expect(server.requests.map(({ url }) => url).filter((url) => url !== '/version')).toEqual([
    `${at}?includeObject=Object&limit=500`,
    `${at}?limit=500`,
    `${at}/maps`,
  ]);
});

test('KS-1: a cluster that is switched off is marked, whatever its conditions are', async () => {
  const columnDefinitions = ['Name', 'Ready'].map((name) => ({ name, type: 'string', priority: 0 }));
  const rowOf = (name: string, annotations?: object) => ({
    cells: [name, 'True'],
    object: { metadata: { name, annotations } },
  });
  const rows = [rowOf('on'), rowOf('off', { 'cluster.kubesphere.io/active': 'false' })];
  const { run } = await startFakeFleet((_, response) =>
    response.end(JSON.stringify({ kind: 'Table', columnDefinitions, rows })),
  );
  expect((await run('get', 'clusters')).stdout).toBe('NAME   READY\non     True\noff    True,Inactive\n');
});

test('-o wide shows why a cluster is not ready, beside whether it is', async () => {
  const clusters = clusterTable(cluster('here', 'ClusterReady'), cluster('away', 'ClusterNotReachable'));
  const { server, run } = await startFakeFleet((_, response) => response.end(JSON.stringify(clusters)));
  expect((await run('get', 'clusters', '-o', 'wide')).stdout).toBe(
    [
      'NAME   READY   REASON                AGE   REGION',
      'here   True    ClusterReady          5s    <none>',
      'away   False   ClusterNotReachable   5s    <none>',
      '',
    ].join('\n'),
  );
  expect(server.requests.at(-1)!.url).toContain('includeObject=Object');
});

test('a cluster that is switched off is marked in a watch, too, and where several are named', async () => {
  const off = cluster('off', 'ClusterReady', { annotations: { 'cluster.kubesphere.io/active': 'false' } });
  const { run } = await startFakeFleet(({ url }, response) => {
    if (!url!.includes('watch=true')) return response.end(JSON.stringify(clusterTable(off)));
    const object = { ...clusterTable(off), columnDefinitions: null };
    return response.end(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
  });
  const row = 'off    True,Inactive   5s\n';
  expect((await run('get', 'clusters', '-w')).stdout).toBe(`NAME   READY           AGE\n${row}${row}`);
  expect((await run('get', 'clusters', 'off', 'off')).stdout).toBe(`NAME   READY           AGE\n${row}${row}`);
  expect((await run('get', 'cluster/off')).stdout).toBe(`NAME   READY           AGE\n${row}`);
});

test('several of the fleet’s own kinds at once, each with its columns', async () => {
  const { run } = await startFakeFleet(({ url }, response) =>
    response.end(
      JSON.stringify(url!.includes('/v1alpha1/clusters') ? clusterTable(cluster('a', 'ClusterReady')) : table(['b'])),
    ),
  );
  expect((await run('get', 'clusters,registries', '--no-headers')).stdout).toBe(
    ['cluster.cluster.karmada.io/a   True   5s', '', 'resourceregistry.search.karmada.io/b', ''].join('\n'),
  );
});

test('--no-headers prints the rows alone, of lists and of watches', async () => {
  const { run } = await startFakeFleet(({ url }, response) => {
    if (!url!.includes('watch=true')) return response.end(JSON.stringify(table(['a'])));
    return response.end(`${JSON.stringify({ type: 'MODIFIED', object: table(['b']) })}\n`);
  });
  expect((await run('get', 'pods', '--no-headers')).stdout).toBe('a\n');
  expect((await run('get', 'pods', '-A', '-w', '--no-headers')).stdout).toBe('shop   a\nshop   b\n');
});

test('-o jsonpath: one object as it is, lists and several objects as one List, each event of a watch', async () => {
  const podOf = (name: string) => ({ kind: 'Pod', metadata: { name, resourceVersion: '7' } });
  const { run } = await startFakeFleet(({ url }, response) => {
    const { pathname, search } = new URL(url!, 'https://x');
    const name = /\/pods\/(\w+)/.exec(pathname)?.[1];
    const list = { metadata: { resourceVersion: '7' }, items: [podOf('a'), podOf('b')] };
    if (search.includes('watch=true')) response.end(`${JSON.stringify({ type: 'MODIFIED', object: podOf('c') })}\n`);
    else response.end(JSON.stringify(name ? podOf(name) : list));
  });
  const jsonPath = async (template: string, ...words: string[]) =>
    (await run('get', ...words, '-o', `jsonpath=${template}`)).stdout;
  expect(await jsonPath('{.kind} {.metadata.name}', 'pod', 'a')).toBe('Pod a');
  expect(await jsonPath('{.kind} {.items[*].metadata.name}', 'pods')).toBe('List a b');
  expect(await jsonPath('{range .items[*]}{.metadata.name}{"\\n"}{end}', 'pod', 'x', 'y')).toBe('x\ny\n');
  expect(await jsonPath('{.metadata.name};', 'pods', '-w')).toBe('a;b;c;');
  await expect(jsonPath('{.items[*', 'pods')).rejects.toThrow(
    'the JSONPath template {.items[* cannot be read: unterminated array',
  );
  await expect(jsonPath('{.items[7]}', 'pods')).rejects.toThrow('array index out of bounds: index 7, length 2');
  await expect(jsonPath('', 'pods')).rejects.toThrow('-o jsonpath needs a template');
});

test('YAML has spec before status, as kubectl writes it', async () => {
  const { metadata, spec, status } = cluster('a', 'ClusterReady');
  const { run } = await startFakeFleet((_, response) =>
    response.end(
      JSON.stringify({ status, spec, metadata, kind: 'Cluster', apiVersion: 'cluster.karmada.io/v1alpha1' }),
    ),
  );
  const keys = (await run('get', 'cluster', 'a', '-o', 'yaml')).stdout.split('\n').filter((line) => /^\w/.test(line));
  expect(keys).toEqual(['apiVersion: cluster.karmada.io/v1alpha1', 'kind: Cluster', 'metadata:', 'spec:', 'status:']);
});

test('all kinds and clusters of a registry are shown, of which the API server prints the first, and many are counted', async () => {
  const columnDefinitions = ['Name', 'Kinds', 'Clusters'].map((name, priority) => ({
    name,
    type: 'string',
    priority: priority === 2 ? 1 : 0,
  }));
  const rowOf = (name: string, kinds: string[], clusterNames?: string[]) => ({
    cells: [name, kinds[0], clusterNames?.[0] ?? null],
    object: {
      metadata: { name },
      spec: {
        resourceSelectors: kinds.map((kind) => ({ apiVersion: 'v1', kind })),
        ...(clusterNames ? { targetCluster: { clusterNames } } : {}),
      },
    },
  });
  const rows = [
    rowOf('some', ['Pod', 'Deployment', 'Pod'], ['m1', 'm2']),
    rowOf('many', ['A', 'B', 'C', 'D', 'E', 'F', 'G']),
    { cells: ['bare', 'Pod', null] },
  ];
  const { run } = await startFakeFleet((_, response) =>
    response.end(JSON.stringify({ kind: 'Table', columnDefinitions, rows })),
  );
  expect((await run('get', 'registries', '-o', 'wide')).stdout).toBe(
    [
      'NAME   KINDS                   CLUSTERS',
      'some   Pod,Deployment          m1,m2',
      'many   A,B,C,D,E + 2 more...   <none>',
      'bare   Pod                     <none>',
      '',
    ].join('\n'),
  );
});

test('no registries yet', async () => {
  const { run } = await startFakeFleet((_, response) => response.end(JSON.stringify(table([]))));
  expect(await run('get', 'registries')).toEqual({
    stdout: '',
    stderr: 'No registries yet: nothing is cached. A ResourceRegistry names the kinds that are to be\n',
  });
});
