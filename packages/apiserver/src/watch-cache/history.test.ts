import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { History } from './history.ts';
import { SharedEvent } from './shared-event.ts';
import { readNothing } from './testing/read-nothing.ts';

it('LIMIT-2: what was made of a large object for its watchers goes with the next event, and is made anew if need be', () => {
  let made = 0;
  const event = (revision: number, size: number) =>
    new SharedEvent({ key: '/a', revision, value: Buffer.alloc(size, 'x') }, (...object) => {
      made += 1;
      return readNothing(...object);
    });
  const form = {
    name: 'f',
    event: (_: string, object: Uint8Array) => Buffer.from(object),
    bookmark: () => Buffer.alloc(0),
  };
  const history = new History(0, { events: 10, bytes: 1 << 20 });
  const [large, small, last] = [event(1, 100_000), event(2, 10), event(3, 10)];
  const first = new Map(
    [large, small, last].map((one) => {
      history.add(one);
      return [one, one.for(() => true)!.in(form)];
    }),
  );
  expect(made).toBe(3);
  const again = history.since(0).map((one) => one.for(() => true)!.in(form));
  expect(again).toEqual([...first.values()]);
  // Small ones are kept in their encoded form.
  expect(made).toBe(4);
  expect(again[1]).toBe(first.get(small));
});

it.each([
  ['of a name', 'f', 1],
  ['of one watcher alone', undefined, 2],
])('LIMIT-2: a form %s is kept only if others may share it', (_, name, times) => {
  let written = 0;
  const form = {
    name,
    event: (_: string, object: Uint8Array) => {
      written += 1;
      return Buffer.from(object);
    },
    bookmark: () => Buffer.alloc(0),
  };
  const first = new SharedEvent({ key: '/a', revision: 1, value: Buffer.from('x') }, readNothing).for(() => true)!;
  first.in(form);
  first.in(form);
  expect(written).toBe(times);
});

it('LIMIT-2: dropped events are garbage collected', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const history = new History(0, { events: 1_000, bytes: 1 << 20 });
  const added = Array.from({ length: 10 }, (_, revision) => {
    const event = new SharedEvent({ key: '/a', revision, value: Buffer.alloc(600_000) }, () => {
      throw new Error('nobody reads it');
    });
    history.add(event);
    return new WeakRef(event);
  });
  // A dereferenced WeakRef keeps its target until the end of the turn.
  await new Promise(setImmediate);
  collect();
  expect(added.filter((one) => one.deref()).length).toBe(1);
  expect(history.since(0).length).toBe(1);
});
