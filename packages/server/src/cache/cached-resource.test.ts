import { expect, it, onTestFinished, vi } from 'vitest';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { CachedResource, type WantedFeed } from './cached-resource.ts';
import { LearnGate } from './learn-gate.ts';

const widgets: WantedFeed = {
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
    wanted: widgets,
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
  const resource = new CachedResource({ wanted: widgets, upstream, gate: new LearnGate(), onShape, onError });
  onTestFinished(() => resource[Symbol.dispose]());
  await vi.waitUntil(() => onError.mock.calls.length > 0);
  expect(resource.spec).toBeUndefined();
  isGranted.is = true;
  await vi.waitUntil(() => resource.spec !== undefined, { timeout: 5_000 });
  expect(onShape).toHaveBeenCalledOnce();
});
