import type { BytesReply } from '@fleet/client/upstream.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { CachedResource, type RegisteredFeed } from './cached-resource.ts';
import { LearnGate } from './learn-gate.ts';

const widgets: RegisteredFeed = {
  id: 'm1 widgets',
  cluster: 'm1',
  member: 'm1',
  group: 'example.dev',
  version: 'v1',
  resource: 'widgets',
  kind: 'Widget',
  namespaced: true,
  namespace: undefined,
};

it('CACHE-17: a shape that was guessed from an empty list is learnt again, once at a time', async () => {
  const items: object[] = [];
  const metadata = { resourceVersion: '7' };
  const list = () => replyOf(200, { kind: 'WidgetList', apiVersion: 'example.dev/v1', metadata, items });
  const upstream = new FakeUpstream(list);
  const onShape = vi.fn();
  const resource = new CachedResource({
    registered: widgets,
    upstream,
    gate: new LearnGate(),
    onShape,
    onError: (error) => expect(error).toBe('none'),
  });
  onTestFinished(() => resource[Symbol.dispose]());
  await vi.waitUntil(() => onShape.mock.calls.length === 1);
  expect(resource.shape).toMatchObject({ isGuessed: true });
  expect(resource.spec).toMatchObject({ typeMetaInLists: false });

  items.push({ kind: 'Widget', metadata: { name: 'a' } });
  resource.learnAgain();
  resource.learnAgain();
  await vi.waitUntil(() => onShape.mock.calls.length === 2);
  expect(upstream.calls.filter(({ path }) => path.endsWith('?limit=1'))).toHaveLength(2);
  expect(resource.shape).toMatchObject({ isGuessed: false });
  expect(resource.spec).toMatchObject({ typeMetaInLists: true });
});

it('CACHE-5: what the member lists and does not let be watched is not filled', async () => {
  const metadata = { resourceVersion: '7' };
  const isGranted = { is: false };
  const upstream = new FakeUpstream(({ path }) => {
    if (path.includes('watch=true') && !isGranted.is) return statusReply(403, 'Forbidden', 'cannot watch');
    return replyOf(200, { kind: 'WidgetList', apiVersion: 'example.dev/v1', metadata, items: [] });
  });
  const [onShape, onError] = [vi.fn(), vi.fn()];
  const resource = new CachedResource({ registered: widgets, upstream, gate: new LearnGate(), onShape, onError });
  onTestFinished(() => resource[Symbol.dispose]());
  await vi.waitUntil(() => onError.mock.calls.length > 0);
  expect(resource.spec).toBeUndefined();
  isGranted.is = true;
  await vi.waitUntil(() => resource.spec !== undefined, { timeout: 5_000 });
  expect(onShape).toHaveBeenCalledOnce();
});

describe('CACHE-14: what a custom resource can be selected by', () => {
  const metadata = { resourceVersion: '7' };
  const schemaOf = (paths: readonly string[]) => ({
    'x-kubernetes-group-version-kind': [{ group: 'example.dev', version: 'v1', kind: 'Widget' }],
    'x-kubernetes-selectable-fields': paths.map((fieldPath) => ({ fieldPath })),
  });

  async function scene() {
    const state = { published: ['spec.color'], selected: ['spec.color'], failure: undefined as BytesReply | undefined };
    const upstream = new FakeUpstream(({ path }) => {
      if (state.failure) return state.failure;
      if (path.startsWith('/openapi/')) {
        return replyOf(200, { components: { schemas: { Widget: schemaOf(state.published) } } });
      }
      const asked = new URL(path, 'https://any').searchParams.get('fieldSelector')?.split(',').slice(1) ?? [];
      const isKnown = asked.every((term) => state.selected.includes(term.replace('=', '')));
      if (!isKnown) return statusReply(400, 'BadRequest', 'field label not supported');
      return replyOf(200, { apiVersion: 'example.dev/v1', items: [], kind: 'WidgetList', metadata });
    });
    const [onShape, onError] = [vi.fn(), vi.fn()];
    const resource = new CachedResource({ registered: widgets, upstream, gate: new LearnGate(), onShape, onError });
    onTestFinished(() => resource[Symbol.dispose]());
    await vi.waitUntil(() => resource.spec !== undefined);
    return { resource, state, onError };
  }

  it('is in its spec; after a change it is looked at again, and unknown until then', async () => {
    const { resource, state } = await scene();
    expect(resource.spec!.selectableFields).toEqual(['spec.color']);
    expect(resource.areFieldsKnown).toBe(true);
    state.published = state.selected = ['spec.color', 'spec.size'];
    resource.checkFields();
    expect(resource.areFieldsKnown).toBe(false);
    await vi.waitUntil(() => resource.areFieldsKnown);
    expect(resource.spec!.selectableFields).toEqual(['spec.color', 'spec.size']);
  });

  it('a field that the member no longer selects by is dropped, though it is still published', async () => {
    const { resource, state } = await scene();
    state.selected = [];
    resource.checkFields();
    await vi.waitUntil(() => resource.areFieldsKnown);
    expect(resource.spec!.selectableFields).toBeUndefined();
  });

  it('stays as it was, and unknown, while the member cannot be asked', async () => {
    const { resource, state, onError } = await scene();
    state.failure = statusReply(503, 'ServiceUnavailable', 'later');
    resource.checkFields();
    await vi.waitUntil(() => onError.mock.calls.length > 0);
    expect(resource.areFieldsKnown).toBe(false);
    expect(resource.spec!.selectableFields).toEqual(['spec.color']);
    state.failure = undefined;
    await vi.waitUntil(() => resource.areFieldsKnown, { timeout: 10_000 });
  });

  it('one change right after another is not missed', async () => {
    const { resource, state } = await scene();
    resource.checkFields();
    await Promise.resolve();
    state.selected = [];
    resource.checkFields();
    await vi.waitUntil(() => resource.areFieldsKnown, { timeout: 10_000 });
    expect(resource.spec!.selectableFields).toBeUndefined();
  });
});

it.each(['kube-system%2Fsecrets?x=', '?', '..', 'a/b', 'A', ''])(
  'SEC-4: nothing is asked for with a namespace that is no name: %s',
  async (namespace) => {
    const upstream = new FakeUpstream(() => statusReply(500, 'InternalError', 'not to be asked'));
    const onError = vi.fn();
    const registered = { ...widgets, namespace };
    using _ = new CachedResource({ registered, upstream, gate: new LearnGate(), onShape: vi.fn(), onError });
    await vi.waitUntil(() => onError.mock.calls.length > 0);
    expect(upstream.paths).toEqual([]);
  },
);

it('the path of one namespace', async () => {
  const upstream = new FakeUpstream(() => statusReply(403, 'Forbidden', 'not here'));
  const registered = { ...widgets, namespace: 'shop' };
  using _ = new CachedResource({ registered, upstream, gate: new LearnGate(), onShape: vi.fn(), onError: vi.fn() });
  await vi.waitUntil(() => upstream.calls.length > 0);
  expect(upstream.paths[0]).toBe('GET /apis/example.dev/v1/namespaces/shop/widgets?limit=1');
});
