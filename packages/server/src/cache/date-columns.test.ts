/** `date` columns of custom resources in cached Tables: a Table does not show which times are in them. */

import { columnsOf } from '@fleet/apiserver/crds/custom/columns.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import type { PrintedKind } from '@fleet/apiserver/registry/printed-kind.ts';
import { describe, expect, it } from 'vitest';
import {
  AgingTable,
  ago,
  day,
  expectSame,
  hour,
  metadata,
  microAgo,
  minute,
  printedTable,
  second,
  start,
} from './testing/aging-table.ts';

describe('CACHE-13: date columns of custom resources', () => {
  const column = (name: string, jsonPath: string, description = '') => ({ name, type: 'date', jsonPath, description });
  const custom = (...columns: { name: string; type: string; jsonPath: string; description?: string }[]): PrintedKind =>
    ({
      group: 'example.com',
      version: 'v1',
      resource: 'things',
      kind: 'Thing',
      listKind: 'ThingList',
      columns: columnsOf(columns),
    }) as unknown as PrintedKind;
  /** With sorted keys. */
  const thing = (name: string, created: number, status: object = {}): KubeObject => {
    const { creationTimestamp, ...rest } = metadata(name, created);
    const sorted = { creationTimestamp, name, namespace: rest.namespace, resourceVersion: '5', uid: rest.uid };
    return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: sorted, status } as unknown as KubeObject;
  };
  const things = [10 * second, 5 * minute, 40 * day].map((created, index) => thing(`t${index}`, created));

  it('without columns of its own: its age', async () => {
    await expectSame(custom(), things);
  });

  it('a path that the Table has', async () => {
    const kind = custom(column('Renewed', '.status.renewal.time'), column('Age', '.metadata.creationTimestamp'));
    const renewed = [ago(3 * minute), ago(-hour), 'soon', null, 7, microAgo(2 * second)];
    await expectSame(kind, [
      ...renewed.map((at, index) => thing(`a${index}`, 2 * hour, { renewal: { time: at } })),
      ...things,
    ]);
    const deleted = thing('z', hour);
    const gone = { ...deleted, metadata: { ...deleted.metadata, deletionTimestamp: ago(minute) } };
    await expectSame(custom(column('Deleted', '.metadata.deletionTimestamp')), [gone]);
  });

  it('a text called Age stays what it is', async () => {
    await expectSame(custom({ name: 'Age', type: 'string', jsonPath: '.status.age' }), [
      thing('a', 5 * minute, { age: '5m' }),
      thing('b', 5 * minute, { age: ago(minute) }),
    ]);
  });

  const described = (jsonPath: string) => custom(column('When', jsonPath, 'When it was'));

  it('one that is not known follows the creation if all rows agree', async () => {
    await expectSame(described('.metadata.creationTimestamp'), things);
    await expectSame(described('.status.never'), things);
    await expectSame(described('.status.empty'), [thing('a', hour, { empty: null })]);
  });

  it('any other is the member’s to print: the cache has no Tables', async () => {
    const other = thing('x', hour, { at: ago(2 * hour) });
    await using listed = await AgingTable.of(described('.status.at'), [...things, other]);
    expect(await listed.read()).toBe('no-table');
    await using unread = await AgingTable.of(custom(column('Ready', '.status.all[0].at')), [
      thing('x', hour, { all: [{ at: ago(hour) }] }),
    ]);
    expect(await unread.read()).toBe('no-table');
  });

  it('also from an event on, until a list in which all rows agree', async () => {
    const kind = described('.status.at');
    await using scene = await AgingTable.of(kind, things);
    expect(await scene.read()).toHaveLength(3);
    scene.apply(thing('t0', 10 * second, { at: ago(hour) }), '11');
    expect(await scene.read()).toBe('no-table');
    scene.list(things);
    expect(await scene.read()).toHaveLength(3);
  });

  it('a list that is never committed changes nothing but doubts', async () => {
    const kind = described('.status.at');
    await using scene = await AgingTable.of(kind, [thing('x', hour, { at: ago(2 * hour) })]);
    const { rows } = printedTable(kind, things, start);
    {
      using relist = scene.writer.relist('row');
      relist.add(rows.map((row) => Buffer.from(JSON.stringify(row))));
    }
    expect(await scene.read()).toBe('no-table');
  });
});
