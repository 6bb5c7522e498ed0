/** What puts the Tables of members together. */

import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import { readEventLine } from '@fleet/server/merge/event-line.ts';
import { columnMapping, layoutOf, mergeColumns, withLayout } from '@fleet/server/present/table-columns.ts';
import { EventEncoder } from '@fleet/server/watch/encode.ts';
import type { Read } from './growth.ts';
import { listed, many, repeated, type Structured, some } from './structured.ts';

const columns = (count: number, prefix = '') => many(count, (index) => ({ name: `${prefix}${index}` }));

/** As a merged list does with the columns of two members. */
const merged: Read = (text) => {
  const [own, other] = JSON.parse(text) as [ColumnDefinition[], ColumnDefinition[]];
  const all = mergeColumns([own, other]);
  return [columnMapping(own, all), columnMapping(other, all), withLayout(layoutOf(all), all)];
};

const watched: Read = (text) => {
  const lines = text.split('\n').map((one) => Buffer.from(one));
  const encoder = new EventEncoder({
    view: { names: 'name-suffixed' },
    isEvent: false,
    asked: undefined,
    form: 'Table',
  });
  const events = lines.map((line) => ({ line, read: readEventLine(line), position: '1' }));
  return encoder.batch('m1', { events, position: '1', resumable: true });
};
const event = (what: string) => `{"type":"ADDED","object":{"metadata":{"resourceVersion":"1"},${what}}}`;
const eight = `"columnDefinitions":${JSON.stringify(columns(8))},`;

export const tables: Record<string, Structured> = {
  'columns of Tables': {
    length: some,
    read: merged,
    shapes: [
      listed('the same', 24, (n) => [columns(n), columns(n)]),
      listed('others', 24, (n) => [columns(n), columns(n, 'o')]),
      listed('turned round', 24, (n) => [columns(n), columns(n).reverse()]),
    ],
  },
  'a watch of Tables': {
    length: some,
    read: watched,
    shapes: [
      {
        name: 'columns and rows',
        make: (length) =>
          event(
            `"columnDefinitions":${JSON.stringify(columns(length / 30))},"rows":[${'{"cells":[]},'.repeat(length / 30)}{}]`,
          ),
      },
      { name: 'columns again', make: (length) => event(repeated('', eight, '"rows":[]')(length)) },
      {
        name: 'a new column with each event',
        make: (length) =>
          many(length / 120, (i) => event(`"columnDefinitions":[{"name":"${i}"}],"rows":[{"cells":[1]}]`)).join('\n'),
      },
    ],
  },
};
