import { expect, it } from 'vitest';
import { Bookmarks } from './bookmark.ts';

const kind = { kind: 'ConfigMap', apiVersion: 'v1' };
const positions = new Map([['m1', '7']]);
const columns = [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }];

it('WATCH-3 WATCH-8: the end of the initial events brings a Table’s columns if nothing has yet', () => {
  const received = (...[brought]: (typeof columns)[]) =>
    JSON.parse(new Bookmarks('Table', kind).endOfInitial(positions, brought).toString()).object;
  expect(received(columns)).toMatchObject({ kind: 'Table', columnDefinitions: columns });
  expect(received().columnDefinitions).toBeNull();
});
