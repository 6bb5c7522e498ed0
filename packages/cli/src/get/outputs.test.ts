/** What is printed, sign by sign. */

import { describe, expect, test } from 'vitest';
import { parseExactly } from './go-text.ts';
import { NameOutput } from './name-output.ts';
import { type ObjectOptions, ObjectOutput } from './object-output.ts';
import type { Printed } from './output.ts';
import type { ResourceType } from './resource-types.ts';
import { type TableOptions, TableOutput } from './table-output.ts';

const pods: ResourceType = {
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  singular: 'pod',
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: [],
};
const deployments: ResourceType = { ...pods, group: 'apps', resource: 'deployments', kind: 'Deployment' };

const columnDefinitions = [
  { name: 'Name', type: 'string', format: 'name', priority: 0 },
  { name: 'Ready', type: 'string', priority: 0 },
  { name: 'Node', type: 'string', priority: 1 },
  { name: 'Age', type: 'string', priority: 0 },
];
const table = (...rows: unknown[][]): Printed =>
  ({
    kind: 'Table',
    columnDefinitions,
    rows: rows.map((cells) => ({ cells, object: { metadata: { namespace: 'shop' } } })),
  }) as unknown as Printed;

function printed(options: Partial<TableOptions>, pages: Printed[]): string {
  let text = '';
  const all = { wide: false, withNamespace: false, withKind: false, withHeadings: true, ...options };
  const output = new TableOutput(all, (more) => {
    text += more;
  });
  for (const page of pages) output.print(page, pods);
  return text;
}

describe('Tables', () => {
  test('columns of priority 0, three spaces apart and six wide at least', () => {
    expect(printed({}, [table(['x', '1/1', 'n1', '5s'], ['a-long-name', '0/1', 'n2', '10m'])])).toBe(
      ['NAME          READY   AGE', 'x             1/1     5s', 'a-long-name   0/1     10m', ''].join('\n'),
    );
  });

  test('wide has all columns, -A one more', () => {
    expect(printed({ wide: true, withNamespace: true }, [table(['x', '1/1', 'n1', '5s'])])).toBe(
      ['NAMESPACE   NAME   READY   NODE   AGE', 'shop        x      1/1     n1     5s', ''].join('\n'),
    );
  });

  test('later pages go on under the same heading, as wide as those before', () => {
    const pages = [table(['long-enough', '1/1', '', '5s']), table(['x', '1/1', '', '6s'])];
    expect(printed({}, pages)).toBe(
      ['NAME          READY   AGE', 'long-enough   1/1     5s', 'x             1/1     6s', ''].join('\n'),
    );
  });

  test('an event without columns has those of the one before', () => {
    const event = { kind: 'Table', columnDefinitions: [], rows: [{ cells: ['y', '1/1', '', '7s'] }] } as Printed;
    expect(printed({}, [table(['x', '1/1', '', '6s']), event])).toContain('\ny      1/1     7s\n');
  });

  test('a list without rows prints nothing', () => {
    expect(printed({}, [table()])).toBe('');
  });

  test('a cell is one line, and does nothing to a terminal', () => {
    expect(printed({}, [table(['x', 'a\nb', '', '\u001b[31mred'], ['y', null, '', 3])])).toBe(
      ['NAME   READY   AGE', 'x      a...    ^[[31mred', 'y              3', ''].join('\n'),
    );
  });

  test('types are apart, and names have their kind', () => {
    let text = '';
    const output = new TableOutput(
      { wide: false, withNamespace: false, withKind: true, withHeadings: true },
      (more) => {
        text += more;
      },
    );
    output.print(table(['x', '1/1', '', '5s']), pods);
    output.print(table(), deployments);
    output.print(table(['y', '2/2', '', '6s']), deployments);
    expect(text).toBe(
      [
        'NAME    READY   AGE',
        'pod/x   1/1     5s',
        '',
        'NAME                READY   AGE',
        'deployment.apps/y   2/2     6s',
        '',
      ].join('\n'),
    );
  });

  test('objects of a server that makes no Tables', () => {
    const list = { kind: 'PodList', items: [{ metadata: { name: 'x', creationTimestamp: '2026-01-01T00:00:00Z' } }] };
    expect(printed({}, [list])).toBe('NAME   CREATED AT\nx      2026-01-01T00:00:00Z\n');
  });
});

const list = {
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '7' },
  items: [{ metadata: { name: 'x', managedFields: [], labels: { b: '<1>', a: '2' } }, spec: { big: 1 } }],
} as unknown as Printed;

function objects(options: ObjectOptions, ...pages: Printed[]): string {
  let text = '';
  const output = new ObjectOutput(options, (more) => {
    text += more;
  });
  for (const page of pages) output.print(page, pods);
  output.end();
  return text;
}

describe('objects', () => {
  test('a list in JSON, over pages', () => {
    const text = objects({ format: 'json', as: 'list' }, list, list);
    expect(
      text.startsWith('{\n    "apiVersion": "v1",\n    "items": [\n        {\n            "apiVersion": "v1",\n'),
    ).toBe(true);
    expect(text).toContain('"b": "\\u003c1\\u003e"');
    expect(text.indexOf('"a": "2"')).toBeLessThan(text.indexOf('"b":'));
    const item = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x', labels: { a: '2', b: '<1>' } },
      spec: { big: 1 },
    };
    expect(JSON.parse(text)).toEqual({
      apiVersion: 'v1',
      items: [item, item],
      kind: 'List',
      metadata: { resourceVersion: '' },
    });
    expect(text).toBe(
      `${JSON.stringify(JSON.parse(text), null, 4).replace(/[<>]/g, (sign) => (sign === '<' ? '\\u003c' : '\\u003e'))}\n`,
    );
  });

  test('a list in YAML', () => {
    expect(objects({ format: 'yaml', as: 'list' }, list)).toBe(
      [
        'apiVersion: v1',
        'items:',
        '- apiVersion: v1',
        '  kind: Pod',
        '  metadata:',
        '    labels:',
        '      a: "2"',
        '      b: <1>',
        '    name: x',
        '  spec:',
        '    big: 1',
        'kind: List',
        'metadata:',
        '  resourceVersion: ""',
        '',
      ].join('\n'),
    );
  });

  test('a list without items', () => {
    const empty = { ...list, items: null };
    expect(JSON.parse(objects({ format: 'json', as: 'list' }, empty))).toMatchObject({ items: [], kind: 'List' });
    expect(objects({ format: 'yaml', as: 'list' }, empty)).toContain('items: []\nkind: List\n');
  });

  test('one object as it is; watched ones one after the other', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } };
    expect(objects({ format: 'yaml', as: 'object' }, pod)).toBe('apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n');
    expect(objects({ format: 'yaml', as: 'documents' }, pod, pod).split('---\n')).toHaveLength(2);
    expect(objects({ format: 'json', as: 'object' }, pod)).toBe(`${JSON.stringify(pod, null, 4)}\n`);
  });

  test('integers beyond those of JavaScript stay exact', () => {
    const pod = parseExactly('{"kind":"Pod","metadata":{"name":"x"},"spec":{"big":9007199254740993}}') as Printed;
    expect(objects({ format: 'json', as: 'object' }, pod)).toContain('"big": 9007199254740993\n');
    expect(objects({ format: 'yaml', as: 'object' }, pod)).toContain('big: 9007199254740993\n');
  });
});

test('names', () => {
  let text = '';
  const output = new NameOutput((more) => {
    text += more;
  });
  output.print(list, deployments);
  output.print({ kind: 'Deployment', metadata: { name: 'y' } }, deployments);
  expect(text).toBe('deployment.apps/x\ndeployment.apps/y\n');
});
