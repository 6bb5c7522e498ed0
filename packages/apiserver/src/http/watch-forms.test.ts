import { describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../testing/open-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const watched = `${configMaps}?watch=1&resourceVersion=0&fieldSelector=metadata.name%3D`;
const data = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
const configMap = (name: string, count: number) => ({ metadata: { name, labels: { is: name } }, data: data(count) });
const as = (form: string) => ({ accept: `application/json;as=${form};v=v1;g=meta.k8s.io` });
const merge = { 'content-type': 'application/merge-patch+json' };

async function withMaps(): Promise<TestServer> {
  const server = await openServer();
  for (const [name, count] of [['small', 2] as const, ['large', 4_000] as const])
    expect((await server.ask('POST', configMaps, configMap(name, count))).status).toBe(201);
  return server;
}

/** Without the fields in which the two differ. */
const likeSmall = (event: unknown): unknown =>
  JSON.parse(
    JSON.stringify(event, (key, value) => {
      if (['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'data'].includes(key)) return typeof value;
      if (/^\d+s$/.test(value)) return 'an age';
      return value === 'large' ? 'small' : value === 4_000 ? 2 : value;
    }),
  );

describe('LIMIT-3: events of large objects are encoded on a worker thread, and are the same', {
  timeout: 60_000,
}, () => {
  for (const [what, query, headers] of [
    ['as a Table', '', as('Table')],
    ['as a Table with objects', '&includeObject=Object', as('Table')],
    ['as metadata', '', as('PartialObjectMetadata')],
    ['as they are', '', {}],
  ] as const) {
    it(what, async () => {
      const { watch, ask, internalErrors } = await withMaps();
      const [small, large] = [
        await watch(`${watched}small${query}`, headers),
        await watch(`${watched}large${query}`, headers),
      ];
      const first = (await large.next()).value;
      expect(first.type).toBe('ADDED');
      expect(likeSmall(first)).toEqual(likeSmall((await small.next()).value));
      for (const name of ['small', 'large'])
        await ask('PATCH', `${configMaps}/${name}`, { metadata: { labels: { more: 'yes' } } }, merge);
      const second = (await large.next()).value;
      expect(second.type).toBe('MODIFIED');
      expect(JSON.stringify(second)).toContain('"managedFields":[{"manager":');
      expect(likeSmall(second)).toEqual(likeSmall((await small.next()).value));
      expect(internalErrors).toEqual([]);
    });
  }

  it('in protobuf, whose frames have a length', async () => {
    const { server } = await withMaps();
    const ending = new AbortController();
    const { body } = await server.handler({
      method: 'GET',
      url: `${watched}large`,
      headers: { accept: 'application/vnd.kubernetes.protobuf' },
      body: Buffer.alloc(0),
      signal: ending.signal,
      caller: { name: 'test', groups: ['system:masters'], extra: {}, uid: undefined },
    });
    for await (const frame of body as AsyncIterable<Uint8Array>) {
      const bytes = Buffer.from(frame);
      expect(bytes.readUInt32BE(0)).toBe(bytes.length - 4);
      expect(bytes.toString('latin1')).toContain('k3999');
      break;
    }
    ending.abort();
  });
});

it('LIMIT-3: labels and fields of large objects are selected by, when they come and when they change', {
  timeout: 60_000,
}, async () => {
  const { watch, ask } = await withMaps();
  const byLabel = await watch(`${configMaps}?watch=1&labelSelector=is%3Dlarge`);
  expect((await byLabel.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'large' } } });
  const pods = '/api/v1/namespaces/default/pods';
  const env = Array.from({ length: 2_000 }, (_, index) => ({ name: `e${index}`, value: 'v' }));
  const spec = { containers: [{ name: 'c', image: 'i', env }], nodeName: 'here' };
  const onNode = await watch(`${pods}?watch=1&fieldSelector=spec.nodeName%3Dhere`);
  expect((await ask('POST', pods, { metadata: { name: 'p' }, spec })).status).toBe(201);
  expect((await onNode.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'p' } } });
  expect((await ask('GET', `${pods}?fieldSelector=spec.nodeName%3Dhere`)).body.items).toHaveLength(1);
  expect((await ask('GET', `${pods}?fieldSelector=spec.nodeName%3Dthere`)).body.items).toHaveLength(0);
  await ask('PATCH', `${configMaps}/large`, { metadata: { labels: { is: 'other' } } }, merge);
  expect((await byLabel.next()).value).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'large' } } });
});
