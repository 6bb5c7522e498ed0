import { describe, expect, it } from 'vitest';
import { bodyText } from '../testing/body-text.ts';
import { sourceOf } from '../testing/fake-source.ts';
import { ByteBudget } from './byte-budget.ts';
import { mergeList } from './merge-list.ts';
import { PageTokens } from './page-token.ts';

const column = (name: string, format = '', priority = 0) => ({
  name,
  type: 'string',
  format,
  description: name,
  priority,
});
const name = column('Name', 'name');

const table = (resourceVersion: string, columns: object[], ...rows: object[]) =>
  JSON.stringify({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion },
    columnDefinitions: columns,
    rows,
  });

const row = (
  cells: unknown[],
  object: object | null = { kind: 'PartialObjectMetadata', metadata: { name: cells[0] } },
) => ({ cells, object });

async function merged(texts: Record<string, string>, isEvent = false) {
  const reply = await mergeList(
    Object.entries(texts).map(([cluster, text]) => sourceOf(cluster, { text })),
    {
      path: '/api/v1/pods',
      query: '',
      form: 'Table',
      shape: { view: { names: 'name-suffixed' }, isEvent, asked: undefined },
      partial: true,
      onMissing: () => {},
      budget: new ByteBudget(1024),
      pageTokens: new PageTokens(Buffer.alloc(32)),
      signal: new AbortController().signal,
    },
  );
  return JSON.parse(await bodyText(reply));
}

describe('LIST-5: merged Tables', () => {
  it('one Table, the members’ own columns, names suffixed in cells and rows', async () => {
    const columns = [name, column('Ready'), column('Age')];
    const answer = await merged({
      m1: table('1', columns, row(['a', '1/1', '5d'])),
      m2: table('2', columns, row(['a', '0/1', '1d'])),
    });
    expect(answer).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', columnDefinitions: columns });
    const shown = (cells: string[], clusterspace: string) =>
      row(cells, { kind: 'PartialObjectMetadata', metadata: { name: cells[0], labels: { clusterspace } } });
    // NAME-11: rows carry the cluster as a label, for `-L clusterspace`.
    expect(answer.rows).toEqual([
      shown(['a.clusterspace.m1', '1/1', '5d'], 'm1'),
      shown(['a.clusterspace.m2', '0/1', '1d'], 'm2'),
    ]);
    expect(Buffer.from(answer.metadata.resourceVersion, 'base64url').toString()).toBe('{"m1":"1","m2":"2"}');
  });

  it('members that disagree on columns are merged by column name', async () => {
    const answer = await merged({
      m1: table('1', [name, column('Age')], row(['a', '5d'])),
      m2: table(
        '2',
        [name, column('Phase'), column('Age'), column('Extra', '', 1)],
        row(['b', 'Up', '1d', { x: [1, ','] }]),
      ),
    });
    expect(answer.columnDefinitions.map((one: { name: string }) => one.name)).toEqual([
      'Name',
      'Phase',
      'Age',
      'Extra',
    ]);
    expect(answer.rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([
      ['a.clusterspace.m1', null, '5d', null],
      ['b.clusterspace.m2', 'Up', '1d', { x: [1, ','] }],
    ]);
  });

  it('columns in another order are put in one order', async () => {
    const answer = await merged({
      m1: table('1', [name, column('A'), column('B')], row(['x', 'a', 'b'])),
      m2: table('2', [name, column('B'), column('A')], row(['y', 'b', 'a'])),
    });
    expect(answer.rows[1].cells).toEqual(['y.clusterspace.m2', 'a', 'b']);
  });

  it('an Event’s Object cell carries the suffix, in Events only', async () => {
    const text = table(
      '1',
      [column('Reason'), column('Object'), column('Name', 'name', 1)],
      row(['Pulled', 'pod/web-1', 'e1'], { metadata: { name: 'e1' }, involvedObject: { name: 'web-1' } }),
    );
    const [event] = (await merged({ m1: text }, true)).rows;
    expect(event).toEqual(
      row(['Pulled', 'pod/web-1.clusterspace.m1', 'e1.clusterspace.m1'], {
        metadata: { name: 'e1.clusterspace.m1', labels: { clusterspace: 'm1' } },
        involvedObject: { name: 'web-1.clusterspace.m1' },
      }),
    );
    expect((await merged({ m1: text })).rows[0].cells[1]).toBe('pod/web-1');
  });

  it('includeObject=None has rows without an object; an empty Table has no rows', async () => {
    const answer = await merged({ m1: table('1', [name], row(['a'], null)), m2: table('2', [name]) });
    expect(answer.rows).toEqual([{ cells: ['a.clusterspace.m1'], object: null }]);
  });

  it('a null where a name belongs stays null', async () => {
    const answer = await merged({ m1: table('1', [name, column('X')], row([null, 1], null)) });
    expect(answer.rows[0].cells).toEqual([null, 1]);
  });

  it('the order of a Table’s own keys does not matter', async () => {
    const sorted = JSON.stringify({
      apiVersion: 'meta.k8s.io/v1',
      columnDefinitions: [name, column('P')],
      kind: 'Table',
      metadata: { resourceVersion: '1' },
      rows: [row(['a', 'p'])],
    });
    const answer = await merged({ m1: sorted, m2: table('2', [name, column('Q')], row(['b', 'q'])) });
    expect(answer.rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([
      ['a.clusterspace.m1', null, 'p'],
      ['b.clusterspace.m2', 'q', null],
    ]);
  });
});
