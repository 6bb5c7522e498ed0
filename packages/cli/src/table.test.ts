import { expect, test } from 'vitest';
import { printTable } from './table.ts';

const table = {
  columnDefinitions: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Version', type: 'string' },
    { name: 'Nodes', type: 'integer', priority: 1 },
  ],
  rows: [{ cells: ['member-with-a-long-name', 'v1.36.3', 3] }, { cells: ['b', '', null] }],
};

test('columns are aligned, and those of lower priority are left out', () => {
  expect(printTable(table)).toBe(
    [
      'NAME                      VERSION',
      'member-with-a-long-name   v1.36.3',
      'b                         <none>',
      '',
    ].join('\n'),
  );
});

test('wide shows them all', () => {
  expect(printTable(table, { wide: true }).split('\n').slice(0, 3)).toEqual([
    'NAME                      VERSION   NODES',
    'member-with-a-long-name   v1.36.3   3',
    'b                         <none>    <none>',
  ]);
});
