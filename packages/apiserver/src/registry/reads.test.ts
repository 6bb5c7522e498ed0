import { describe, expect, it } from 'vitest';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import type { Form, WatchEvent } from '../watch-cache/shared-event.ts';
import type { List } from './list.ts';
import type { ObjectRegistry } from './registry.ts';
import { decodeObject, withVersion } from './stored-object.ts';
import { widget, widgets } from './testing/kinds.ts';
import { openRegistry } from './testing/open-registry.ts';

const names = ({ entries }: List) => entries.map((entry) => decodeObject(entry).metadata.name);

async function filled(names: readonly string[]) {
  const opened = await openRegistry(widgets);
  for (const [index, name] of names.entries()) {
    const object = widget(name, {
      metadata: { labels: { parity: index % 2 ? 'odd' : 'even' } },
      spec: { color: name },
    });
    await opened.registry.create(object, { namespace: 'default' });
  }
  return opened;
}

describe('list', () => {
  it('of a namespace and of all, in the order of names, with versions in the bytes', async () => {
    const { registry } = await filled(['b', 'a']);
    await registry.create(widget('z'), { namespace: 'a' });
    expect(names(await registry.list({ namespace: 'default' }))).toEqual(['a', 'b']);
    const all = await registry.list();
    expect(names(all)).toEqual(['z', 'a', 'b']);
    const [first] = all.entries;
    expect(JSON.parse(withVersion(first!.value, first!.revision).toString())).toMatchObject({
      metadata: { name: 'z', resourceVersion: '4' },
    });
  });

  it('in pages of one version, whatever happens between them', async () => {
    const { registry } = await filled(['a', 'b', 'c', 'd', 'e']);
    const first = await registry.list({ limit: 2 });
    expect([names(first), first.remaining, first.revision]).toEqual([['a', 'b'], 3, 6]);
    expect(JSON.parse(Buffer.from(first.continue!, 'base64url').toString())).toEqual({
      v: 'meta.k8s.io/v1',
      rv: 6,
      start: 'default/b\0',
    });
    await registry.delete('c', { namespace: 'default' });
    await registry.create(widget('bb'), { namespace: 'default' });
    const second = await registry.list({ limit: 2, continue: first.continue });
    expect([names(second), second.remaining, second.revision]).toEqual([['c', 'd'], 1, 6]);
    const last = await registry.list({ limit: 2, continue: second.continue });
    expect([names(last), last.remaining, last.continue]).toEqual([['e'], undefined, undefined]);
  });

  it('by labels and fields, also in pages, without a count of what remains', async () => {
    const { registry } = await filled(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    const labels = parseLabelSelector('parity=odd');
    expect(names(await registry.list({ labels }))).toEqual(['b', 'd', 'f']);
    const first = await registry.list({ labels, limit: 2 });
    expect([names(first), first.remaining]).toEqual([['b', 'd'], undefined]);
    const last = await registry.list({ labels, limit: 2, continue: first.continue });
    expect([names(last), last.continue]).toEqual([['f'], undefined]);
    const fields = [{ field: 'spec.color', value: 'c', equal: true }];
    expect(names(await registry.list({ fields }))).toEqual(['c']);
    expect(
      names(
        await registry.list({ namespace: 'default', fields: [{ field: 'metadata.name', value: 'a', equal: true }] }),
      ),
    ).toEqual(['a']);
  });

  it('COMPAT-4: by name, a page of one has no second one, whatever other names begin with it', async () => {
    const { registry } = await filled(['a', 'ab', 'b']);
    const list = (name: string) =>
      registry.list({ namespace: 'default', limit: 1, fields: [{ field: 'metadata.name', value: name, equal: true }] });
    const [one, none] = [await list('a'), await list('')];
    expect([names(one), one.continue]).toEqual([['a'], undefined]);
    expect([names(none), none.continue]).toEqual([[], undefined]);
    const late = await list('aa');
    expect([names(late), late.continue]).toEqual([[], undefined]);
  });

  it('as of a version: exactly it, or not older', async () => {
    const { registry } = await filled(['a', 'b', 'c']);
    expect(names(await registry.list({ resourceVersion: '3', resourceVersionMatch: 'Exact' }))).toEqual(['a', 'b']);
    expect(names(await registry.list({ resourceVersion: '3', resourceVersionMatch: 'NotOlderThan' }))).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(names(await registry.list({ resourceVersion: '3' }))).toEqual(['a', 'b', 'c']);
    // A limit without a resourceVersionMatch means Exact, for compatibility.
    expect(names(await registry.list({ resourceVersion: '3', limit: 10 }))).toEqual(['a', 'b']);
    expect(names(await registry.list({ resourceVersion: '0', limit: 10 }))).toEqual(['a', 'b', 'c']);
  });

  it('COMPAT-4: sends a retry hint for a future version, but not for kinds that kube-apiserver does not cache', async () => {
    const future = { resourceVersion: '99' };
    const again = { retryAfterSeconds: 1 };
    const cached = await openRegistry(widgets);
    const uncached = await openRegistry({ ...widgets, isUncached: true });
    for (const read of ['list', 'get'] as const) {
      const from = ({ registry }: { registry: ObjectRegistry }) =>
        read === 'list' ? registry.list(future) : registry.get('a', future);
      await expect(from(cached)).rejects.toMatchObject({ code: 504, details: again });
      await expect(from(uncached)).rejects.toMatchObject({ code: 504, details: expect.not.objectContaining(again) });
    }
  });

  it.each([
    [{ resourceVersion: '99' }, 504, 'Timeout: Too large resource version: 99, current: 4'],
    [
      { resourceVersion: '99', resourceVersionMatch: 'Exact' as const },
      504,
      'Timeout: Too large resource version: 99, current: 4',
    ],
    [
      { resourceVersion: '2', resourceVersionMatch: 'Exact' as const },
      410,
      'The resourceVersion for the provided list is too old.',
    ],
    [
      { resourceVersion: 'x' },
      400,
      'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [{ continue: '!' }, 400, 'invalid continue token: continue key is not valid: illegal base64 data at input byte 0'],
    [
      { continue: token({ v: 'v9' }) },
      400,
      'invalid continue token: continue key is not valid: server does not recognize this encoded version v9',
    ],
    [
      { continue: token({ rv: 4, start: '../secrets/a' }) },
      400,
      'invalid continue token: continue key is not valid: ../secrets/a',
    ],
    [
      { continue: token({ rv: 4, start: 'default/a\0' }), resourceVersion: '3' },
      400,
      'specifying resource version is not allowed when using continue',
    ],
  ])('%o is refused in the words of kube-apiserver', async (options, code, message) => {
    const { registry, store } = await filled(['a', 'b', 'c']);
    await store.compact(3);
    await expect(registry.list(options)).rejects.toMatchObject({ code, message });
  });

  it('PAGE-2: a page that expired comes with a token that goes on as things are now', async () => {
    const { registry, store } = await filled(['a', 'b', 'c']);
    const { continue: page } = await registry.list({ limit: 1 });
    await registry.delete('b', { namespace: 'default' });
    await store.compact(5);
    const error = (await registry.list({ limit: 5, continue: page }).catch((thrown: unknown) => thrown)) as {
      code: number;
      continueToken: string;
    };
    expect(error.code).toBe(410);
    expect(names(await registry.list({ limit: 5, continue: error.continueToken }))).toEqual(['c']);
  });
});

function token(parts: object): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', ...parts })).toString('base64url');
}

describe('watch', () => {
  const lines: Form = {
    name: 'names',
    event: (type, object) =>
      Buffer.from(
        `${type} ${(JSON.parse(Buffer.from(object).toString()) as { metadata: { name: string; resourceVersion: string } }).metadata.name}`,
      ),
    bookmark: (_, ends) => Buffer.from(ends ? 'END' : 'BOOKMARK'),
  };
  const watch = (registry: ObjectRegistry, options: object = {}): AsyncIterator<WatchEvent> =>
    registry
      .watch({ allowWatchBookmarks: true, signal: new AbortController().signal, ...options })
      [Symbol.asyncIterator]();
  const take = async (events: AsyncIterator<WatchEvent>, count: number): Promise<string[]> => {
    const taken: string[] = [];
    while (taken.length < count)
      taken.push(Buffer.from(((await events.next()).value as WatchEvent).in(lines)).toString());
    return taken;
  };

  it.each([
    ['without a version begins with what is there', {}, ['ADDED a', 'ADDED b', 'ADDED c']],
    ['of version 0 too', { resourceVersion: '0' }, ['ADDED a', 'ADDED b', 'ADDED c']],
    ['of a version begins behind it', { resourceVersion: '2' }, ['ADDED b', 'ADDED c']],
    [
      'with initial events ends them',
      { resourceVersion: '2', sendInitialEvents: true },
      ['ADDED a', 'ADDED b', 'END', 'ADDED c'],
    ],
    ['by a selector', { labels: parseLabelSelector('parity=odd'), sendInitialEvents: true }, ['ADDED b', 'END']],
    ['of another namespace', { namespace: 'other', sendInitialEvents: true }, ['END']],
  ])('%s', async (_, options, events) => {
    const { registry } = await filled(['a', 'b']);
    const watched = watch(registry, options);
    const beginning = await take(watched, Math.max(1, events.length - 1));
    await registry.create(widget('c'), { namespace: 'default' });
    expect([...beginning, ...(await take(watched, events.length - beginning.length))]).toEqual(events);
  });
});
