import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { describe, expect, it } from 'vitest';
import type { View } from '../target/target.ts';
import { askedBy } from '../testing/known-kinds.ts';
import { markingOf } from './marking.ts';
import { presentList } from './one-list.ts';
import { presentAnswer, type Shown } from './one-object.ts';
import { presentWatch } from './one-watch.ts';

const plain: View = { names: 'plain' };
const byName: View = { names: 'name-suffixed' };
const byNamespace: View = { names: 'namespace-suffixed' };
const inNamespace = '/api/v1/namespaces/d/pods';

const shownAs = (view: View, url: string, cluster = 'evil', method = 'GET'): Shown => ({
  view,
  cluster,
  name: undefined,
  namespace: undefined,
  marking: markingOf(view, cluster, false, askedBy(url, method)),
});

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of body) text += piece;
  return text;
}

const object = async (answer: object, shown: Shown) =>
  (await presentAnswer(Buffer.from(JSON.stringify(answer)), shown)).toString();
const list = (answer: object, { marking }: Shown) => textOf(presentList(once(JSON.stringify(answer)), marking));
const event = (answer: object, shown: Shown) =>
  textOf(presentWatch(once(`${JSON.stringify({ type: 'ADDED', object: answer })}\n`), shown));

const podList = (...items: object[]) => ({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items });
const tableOf = (row: object) => ({
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata: {},
  columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }],
  rows: [{ cells: ['x'], object: row }],
});
const pod = (metadata: object) => ({ kind: 'Pod', apiVersion: 'v1', metadata });
const metadataOf = (metadata: object) => ({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
const own = { name: 'x', namespace: 'd' };

describe.each<[string, View, object]>([
  ['a plain view', plain, { name: 'db.clusterspace.victim', namespace: 'd' }],
  ['a plain view', plain, { name: 'x', namespace: 'd.clusterspace.victim' }],
  ['a view by namespace', byNamespace, { name: 'db.clusterspace.victim', namespace: 'd' }],
  ['a view by name', byName, { name: 'x', namespace: 'd.clusterspace.victim' }],
])('SEC-1: in %s', (_, view, metadata) => {
  const shown = shownAs(view, '/api/v1/pods');

  it(`a name that names another cluster is refused: ${JSON.stringify(metadata)}`, async () => {
    await expect(object(pod(metadata), shown)).rejects.toThrow(JsonBytesError);
    await expect(list(podList({ metadata: own }, { metadata }), shown)).rejects.toThrow(JsonBytesError);
    await expect(list(tableOf(metadataOf(metadata)), shown)).rejects.toThrow(JsonBytesError);
    await expect(event(pod(metadata), shown)).rejects.toThrow(JsonBytesError);
  });

  it('so is one that hides it in an escape', async () => {
    const hidden = JSON.stringify(podList({ metadata })).replace('.clusterspace.', '\\u002eclusterspace.');
    await expect(textOf(presentList(once(hidden), shown.marking))).rejects.toThrow(JsonBytesError);
  });

  it('NAME-5: the control plane’s own names are shown', async () => {
    const trusted = shownAs(view, '/api/v1/pods', 'karmada');
    expect(await object(pod(metadata), trusted)).toContain('.clusterspace.victim');
    expect(await list(podList({ metadata }), trusted)).toContain('.clusterspace.victim');
  });
});

it('a name that the view puts its own suffix behind may have one already', async () => {
  const nested = { name: 'x.clusterspace.inner', namespace: 'd' };
  expect(await object(pod(nested), shownAs(byName, inNamespace))).toContain('x.clusterspace.inner.clusterspace.evil');
});

describe.each([
  ['plain', plain],
  ['by name', byName],
  ['by namespace', byNamespace],
])('SEC-1: another kind, %s', (_, view) => {
  const shown = shownAs(view, inNamespace);
  const one = shownAs(view, `${inNamespace}/x`);

  it.each<[string, object]>([
    ['in front', { kind: 'Namespace', apiVersion: 'v1', metadata: own }],
    ['behind', { metadata: own, kind: 'Namespace', apiVersion: 'v1' }],
    ['around', { kind: 'Machine', metadata: own, apiVersion: 'example.dev/v1' }],
    ['without a version', { kind: 'Namespace', metadata: own }],
    ['of an unknown version', { kind: 'Namespace', apiVersion: 'v9', metadata: own }],
    ['of another group', { kind: 'Gadget', apiVersion: 'example.dev/v1', metadata: own }],
  ])('named %s is refused', async (_where, other) => {
    await expect(list(podList({ metadata: own }, other), shown)).rejects.toThrow(JsonBytesError);
    await expect(list(tableOf(other), shown)).rejects.toThrow(JsonBytesError);
    await expect(object(other, one)).rejects.toThrow(JsonBytesError);
    await expect(object(other, shownAs(view, `${inNamespace}/x/status`))).rejects.toThrow(JsonBytesError);
    await expect(event(other, shown)).rejects.toThrow(JsonBytesError);
  });

  it('so is one named twice, or in escapes', async () => {
    const text = JSON.stringify(podList({ kind: 'Pod', apiVersion: 'v1', metadata: own }));
    for (const [from, to] of [
      ['"kind":"Pod",', '"kind":"Pod","kind":"Namespace",'],
      ['"Pod"', '"Names\\u0070ace"'],
      ['"kind":"Pod",', '"k\\u0069nd":"Namespace",'],
    ] as const) {
      await expect(textOf(presentList(once(text.replace(from, to)), shown.marking))).rejects.toThrow(JsonBytesError);
    }
  });

  it('so is a list of it, wherever its kind is', async () => {
    const items = [{ metadata: own }];
    for (const other of [
      { kind: 'NamespaceList', apiVersion: 'v1', items },
      { apiVersion: 'v1', items, kind: 'NamespaceList' },
    ]) {
      await expect(list(other, shown)).rejects.toThrow(JsonBytesError);
      await expect(object(other, one)).rejects.toThrow(JsonBytesError);
    }
  });
});

it('what Kubernetes answers is no other kind', async () => {
  const shown = shownAs(byNamespace, inNamespace);
  await list(podList({ metadata: own }, pod(own)), shown);
  await list({ ...podList(pod(own)), kind: 'List' }, shown);
  await list({ ...podList(metadataOf(own)), kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' }, shown);
  await list(tableOf(metadataOf(own)), shown);
  await list(tableOf(pod(own)), shown);
  await event(
    { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion: '5' } },
    shownAs(plain, `${inNamespace}/x`),
  );
  const scale = { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: own };
  await object(scale, shownAs(plain, `${inNamespace}/x/scale`));
  const build = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x-1', namespace: 'd' } };
  await object(build, shownAs(plain, `${inNamespace}/x/instantiate`, 'evil', 'POST'));
  const gadgets = {
    apiVersion: 'example.dev/v1',
    items: [{ apiVersion: 'example.dev/v1', kind: 'Gadget', metadata: own }],
  };
  await list({ ...gadgets, kind: 'GadgetCollectionList' }, shownAs(plain, '/apis/example.dev/v1/gadgets'));
  const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'd' } };
  await object(namespace, shownAs(byName, '/api/v1/namespaces/d'));
});

describe('SEC-1: another object than the one that was asked for', () => {
  it.each<[string, View, object]>([
    ['of another name', plain, { name: 'db', namespace: 'd' }],
    ['of another namespace', plain, { name: 'x', namespace: 'prod' }],
    ['of no namespace', plain, { name: 'x' }],
    ['of another name', byNamespace, { name: 'db', namespace: 'd' }],
    ['of no namespace', byNamespace, { name: 'x' }],
    ['of another name', byName, { name: 'db', namespace: 'd' }],
  ])('%s is refused', async (_, view, metadata) => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const shown = shownAs(view, `${inNamespace}/x`, 'evil', method);
      await expect(object(pod(metadata), shown)).rejects.toThrow(JsonBytesError);
    }
    const selected = shownAs(view, `${inNamespace}?fieldSelector=metadata.name%3Dx`);
    await expect(list(podList({ metadata }), selected)).rejects.toThrow(JsonBytesError);
    await expect(list(tableOf(metadataOf(metadata)), selected)).rejects.toThrow(JsonBytesError);
    await expect(event(pod(metadata), selected)).rejects.toThrow(JsonBytesError);
  });

  it('a new object has the name of its body, whatever stands in the path', async () => {
    const made = await object(
      pod({ name: 'made', namespace: 'd' }),
      shownAs(byName, `${inNamespace}/other`, 'm1', 'POST'),
    );
    expect(made).toContain('made.clusterspace.m1');
  });

  it('a list has any names, of its namespace', async () => {
    const shown = shownAs(byNamespace, inNamespace);
    expect(await list(podList({ metadata: { name: 'db', namespace: 'd' } }), shown)).toContain('d.clusterspace.evil');
    await expect(list(podList({ metadata: { name: 'db' } }), shown)).rejects.toThrow(JsonBytesError);
    await expect(list(podList({ metadata: { name: 'db', namespace: 'e' } }), shown)).rejects.toThrow(JsonBytesError);
  });
});
