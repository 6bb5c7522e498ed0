import { describe, expect, it } from 'vitest';
import { FakeUpstream, replyOf } from '../testing/fake-upstream.ts';
import { listShapeOf } from './list-shape.ts';

const shapeOf = async (path: string, list: object) => {
  const upstream = new FakeUpstream(() => replyOf(200, list));
  const { shape, version } = await listShapeOf(upstream, path, new AbortController().signal);
  expect(version).toBe('7');
  return shape;
};

const metadata = { resourceVersion: '7' };
const builtIn = (...items: object[]) => ({ kind: 'WidgetList', apiVersion: 'example.dev/v1', metadata, items });
const sorted = (...items: object[]) => ({ apiVersion: 'example.dev/v1', items, kind: 'WidgetList', metadata });
const path = '/apis/example.dev/v1/widgets';

describe('CACHE-17: how a member writes lists is learnt from one', () => {
  it('of built-in kinds', async () => {
    expect(await shapeOf(path, builtIn({ metadata: { name: 'a' } }))).toEqual({
      kind: 'WidgetList',
      endsWithVersion: false,
      itemsHaveKind: false,
      isGuessed: false,
    });
  });

  it('of custom resources, with and without an item', async () => {
    const custom = { kind: 'WidgetList', endsWithVersion: true, itemsHaveKind: true, isGuessed: false };
    expect(await shapeOf(path, sorted({ kind: 'Widget', metadata: { name: 'a' } }))).toEqual(custom);
    expect(await shapeOf(path, sorted())).toEqual(custom);
  });

  it('of custom resources that are written as built-in kinds are', async () => {
    const shape = { kind: 'WidgetList', endsWithVersion: false };
    expect(await shapeOf(path, builtIn({ kind: 'Widget', metadata: { name: 'a' } }))).toEqual({
      ...shape,
      itemsHaveKind: true,
      isGuessed: false,
    });
    expect(await shapeOf(path, builtIn())).toEqual({ ...shape, itemsHaveKind: false, isGuessed: true });
  });

  it('of the core group, where none is custom', async () => {
    expect(await shapeOf('/api/v1/pods', builtIn())).toMatchObject({ itemsHaveKind: false, isGuessed: false });
  });
});
