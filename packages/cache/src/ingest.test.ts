import { describe, expect, it } from 'vitest';
import type { ItemForm } from './messages.ts';
import { MemoryShard } from './shard.ts';
import { podFeed, sampleColumns } from './testing/sample-objects.ts';

const feed = podFeed.id;
const whole: ItemForm = { as: 'object', inList: false };

/** What is shown of an item that was stored, in each form. */
async function shownOf(item: string, spec = podFeed, form: ItemForm = whole): Promise<string[]> {
  await using shard = new MemoryShard({ limit: 1e8, segmentSize: 100_000, clock: () => 0 });
  await shard.want({ feeds: [spec] });
  const writer = shard.writer(feed)!;
  writer.columns(sampleColumns);
  using relist = writer.relist('row');
  relist.add([Buffer.from(item)]);
  relist.commit('1');
  const page = await shard.read({ feed, at: 'now', form, bytes: 1 });
  if (page.is !== 'page') throw new Error(page.is);
  return [Buffer.from(page.chunk).toString()];
}

const managed = '"managedFields":[{"manager":"a","fieldsV1":{"f:spec":{"k:{\\"x\\"}":{}}}}]';
const head = '{"kind":"Pod","apiVersion":"v1",';

describe('CACHE-6: an object comes out as it went in', () => {
  it.each([
    ['managedFields last', `${head}"metadata":{"name":"a","namespace":"d",${managed}},"spec":{}}`],
    ['managedFields first', `${head}"metadata":{${managed},"name":"a","namespace":"d"},"spec":{}}`],
    ['managedFields between', `${head}"metadata":{"name":"a",${managed},"namespace":"d","resourceVersion":"5"}}`],
    ['managedFields null', `${head}"metadata":{"name":"a","managedFields":null,"namespace":"d"}}`],
    [
      'metadata last',
      `{"apiVersion":"v1","kind":"Pod","spec":{"x":[1,{"y":"}"}]},"metadata":{"namespace":"d","name":"a"}}`,
    ],
    [
      'whitespace',
      ` { "kind" : "Pod" , "apiVersion":"v1",\n "metadata" : { "name" : "a" ,\t${managed} , "namespace": "d" } , "x" : [ ] } `.trim(),
    ],
    [
      'whitespace, managedFields first',
      `{ "kind": "Pod", "apiVersion": "v1", "metadata": { ${managed} ,\n  "name": "a", "namespace": "d" } }`,
    ],
    [
      'keys of every prototype',
      `${head}"metadata":{"name":"a","namespace":"d","labels":{"__proto__":"x"}},"__proto__":{"a":1},"constructor":[]}`,
    ],
    ['64-bit numbers', `${head}"metadata":{"name":"a","namespace":"d","generation":9223372036854775807}}`],
  ])('%s', async (_, object) => {
    expect(await shownOf(object)).toEqual([object]);
    const row = `{"cells":["a",1],"conditions":[{"type":"Completed"}],"object":${object}}`;
    expect(await shownOf(row)).toEqual([object]);
    expect(await shownOf(row, podFeed, { as: 'Table', includeObject: 'Object' })).toEqual([row]);
    const none = row.replace(object, 'null');
    expect(await shownOf(row, podFeed, { as: 'Table', includeObject: 'None' })).toEqual([none]);
  });

  it('a list has built-in objects without kind, also with whitespace', async () => {
    const object = '{ "kind": "Pod", "apiVersion": "v1", "metadata": {"name":"a","namespace":"d"} }';
    expect(await shownOf(object, podFeed, { as: 'object', inList: true })).toEqual([
      '{"metadata": {"name":"a","namespace":"d"} }',
    ]);
    const custom = { ...podFeed, typeMetaInLists: true };
    expect(await shownOf(object, custom, { as: 'object', inList: true })).toEqual([object]);
  });

  it('the key of cluster-scoped objects is their name', async () => {
    const node = '{"kind":"Node","apiVersion":"v1","metadata":{"name":"a"}}';
    expect(await shownOf(node, { ...podFeed, resource: 'nodes', namespaced: false })).toEqual([node]);
  });
});

describe('SEC-1: ambiguous objects are refused', () => {
  const named = '"metadata":{"name":"a","namespace":"d"}';
  it.each([
    ['no object', '[]'],
    ['no name', '{"metadata":{"namespace":"d"}}'],
    ['no metadata', '{"kind":"Pod"}'],
    ['metadata twice', `{${named},${named}}`],
    ['a name twice', '{"metadata":{"name":"a","name":"b","namespace":"d"}}'],
    ['a version twice', '{"metadata":{"name":"a","namespace":"d","resourceVersion":"1","resourceVersion":"2"}}'],
    ['a version with an escape', '{"metadata":{"name":"a","namespace":"d","resourceVersion":"1\\u0022"}}'],
    ['a version with a separator', '{"metadata":{"name":"a","namespace":"d","resourceVersion":"1\u2028"}}'],
    ['a line end in a string', `{${named},"spec":"a\nb"}`],
    ['a separator between tokens', `{${named},"spec":[\u2028]}`],
    ['managedFields twice', `{"metadata":{${managed},"name":"a","namespace":"d",${managed}}}`],
    ['a kind twice', `{"kind":"Pod","kind":"Node",${named}}`],
    ['a key with an escape', `{"metad\\u0061ta":{},${named}}`],
    ['a name with an escape', '{"metadata":{"name":"\\u0061","namespace":"d"}}'],
    ['a key of the metadata with an escape', '{"metadata":{"n\\u0061me":"b","name":"a","namespace":"d"}}'],
    ['a list within an object', `{${named},"items":[{"metadata":{}}]}`],
    ['text behind it', `{${named}}{}`],
    ['text behind a row', `{"cells":[],"object":{${named}}}x`],
    ['a row of two objects', `{"cells":[],"object":{${named}},"object":{${named}}}`],
    ['a row with a look-alike', `{"cells":[],"object":{${named}},"Object":{${named}}}`],
    ['a row without an object', '{"cells":[],"object":null}'],
    ['a label that is no text', '{"metadata":{"name":"a","namespace":"d","labels":{"a":1}}}'],
    ['another scope', '{"metadata":{"name":"a"}}'],
    ['a cut object', '{"metadata":{"name":"a","namespace":"d"},"spec":{'],
    ['SEC-2: too many members', `{"metadata":{"name":"a","namespace":"d"}${',"a":[]'.repeat(10_001)}}`],
    ['too many of its metadata', `{"metadata":{"name":"a","namespace":"d"${',"a":1'.repeat(10_001)}}}`],
    ['too many beside fields', `{"metadata":{"name":"a","namespace":"d"},"spec":{"a":1${',"a":1'.repeat(10_001)}}}`],
    ['too many of a row', `{"cells":[]${',"a":1'.repeat(10_001)},"object":{"metadata":{"name":"a","namespace":"d"}}}`],
    [
      'labels that are too long',
      `{"metadata":{"name":"a","namespace":"d","labels":{"a":"${'x'.repeat(130 * 1024)}"}}}`,
    ],
    ['a name that is too long', `{"metadata":{"name":"${'a'.repeat(5000)}","namespace":"d"}}`],
  ])('%s', async (_, item) => {
    await expect(shownOf(item)).rejects.toThrow();
  });

  it('a name that is no UTF-8', async () => {
    await using shard = new MemoryShard({ limit: 1e8, segmentSize: 100_000, clock: () => 0 });
    await shard.want({ feeds: [podFeed] });
    using relist = shard.writer(feed)!.relist('row');
    const item = Buffer.from('{"metadata":{"name":"\xff","namespace":"d"}}', 'latin1');
    expect(() => relist.add([item])).toThrow('no UTF-8');
  });
});

it.each([
  ['', 'events', 'source=kubelet', '"source":{"component":"kubelet"},"reportingComponent":"x"'],
  ['', 'events', 'source=kubelet', '"source":{},"reportingComponent":"kubelet"'],
  ['', 'events', 'involvedObject.name=p,type=Normal', '"involvedObject":{"name":"p"},"type":"Normal"'],
  [
    'events.k8s.io',
    'events',
    'regarding.uid=u,reportingController=c',
    '"regarding":{"uid":"u"},"reportingController":"c"',
  ],
  ['batch', 'jobs', 'status.successful=3', '"status":{"succeeded":3}'],
  ['batch', 'jobs', 'status.successful=0', '"status":{}'],
  ['', 'secrets', 'type=Opaque', '"type":"Opaque"'],
  ['', 'replicationcontrollers', 'status.replicas=2', '"status":{"replicas":2}'],
  ['', 'pods', 'spec.host=n', '"spec":{"nodeName":"n"}'],
  ['resource.k8s.io', 'resourceslices', 'spec.driver=d,spec.nodeName=n', '"spec":{"driver":"d","nodeName":"n"}'],
  ['certificates.k8s.io', 'clustertrustbundles', 'spec.signerName=s', '"spec":{"signerName":"s"}'],
  [
    'certificates.k8s.io',
    'podcertificaterequests',
    'spec.podName=p,spec.nodeName=n,spec.signerName=s',
    '"spec":{"podName":"p","nodeName":"n","signerName":"s"}',
  ],
  ['example.com', 'things', 'spec.color=a"b', '"spec":{"color":"a\\"b"}'],
])('CACHE-14: %s/%s by %s', async (group, resource, fieldSelector, members) => {
  await using shard = new MemoryShard({ limit: 1e8, segmentSize: 100_000, clock: () => 0 });
  await shard.want({ feeds: [{ ...podFeed, group, resource, selectableFields: ['spec.color'] }] });
  using relist = shard.writer(feed)!.relist('row');
  relist.add([Buffer.from(`{"metadata":{"name":"a","namespace":"d"},${members}}`)]);
  relist.commit('1');
  const read = async (fields: string) => {
    const page = await shard.read({ feed, at: 'now', form: whole, bytes: 1, selection: { fieldSelector: fields } });
    return page.is === 'page' ? page.ends.length : page.is;
  };
  expect(await read(fieldSelector)).toBe(1);
  expect(await read(`${fieldSelector.split(',')[0]}x`)).toBe(0);
});

it.each([
  // No conversion function lets it through, though its registry has a value for it.
  ['apps', 'replicasets', 'status.replicas=2', 'unknown-field'],
  ['coordination.k8s.io', 'leasecandidates', 'spec.leaseName=a', 'unknown-field'],
  ['', 'namespaces', 'name=a', 'unknown-field'],
  ['certificates.k8s.io', 'podcertificaterequests', 'metadata.namespace=d', 'unknown-field'],
  ['example.com', 'things', 'spec.size=1', 'unknown-field'],
  ['', 'pods', 'metadata.namespace=d', 1],
  // Let through, and the same for every pod.
  ['', 'pods', 'status.podIPs=10.0.0.1', 0],
  ['', 'pods', 'status.podIPs!=10.0.0.1', 1],
])('CACHE-14: %s/%s by %s, as kube-apiserver has it: %s', async (group, resource, fieldSelector, expected) => {
  await using shard = new MemoryShard({ limit: 1e8, segmentSize: 100_000, clock: () => 0 });
  await shard.want({ feeds: [{ ...podFeed, group, resource, selectableFields: ['spec.color'] }] });
  using relist = shard.writer(feed)!.relist('row');
  const status = { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], replicas: 2 };
  relist.add([Buffer.from(JSON.stringify({ metadata: { name: 'a', namespace: 'd' }, status }))]);
  relist.commit('1');
  const page = await shard.read({ feed, at: 'now', form: whole, bytes: 1, selection: { fieldSelector } });
  expect(page.is === 'page' ? page.ends.length : page.is).toBe(expected);
});
