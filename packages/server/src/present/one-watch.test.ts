import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { describe, expect, it } from 'vitest';
import type { View } from '../target/target.ts';
import { markingOf } from './marking.ts';
import { presentWatch } from './one-watch.ts';

async function* lines(...events: unknown[]): AsyncGenerator<Buffer> {
  for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}

const shownAs = (view: View) => ({
  view,
  cluster: 'm1',
  name: 'x',
  namespace: 'd',
  marking: markingOf(view, 'm1', false, undefined),
});

const table = (columnDefinitions: unknown) => ({
  type: 'MODIFIED',
  object: { kind: 'Table', columnDefinitions, rows: [{ cells: ['x', 'Up'], object: null }] },
});

describe('LIST-5: a watch of Tables', () => {
  const columns = [{ name: 'Name', format: 'name' }, { name: 'Status' }];

  it('has its columns in the first event; names carry their suffix in all', async () => {
    const shown = await Array.fromAsync(
      presentWatch(lines(table(columns), table(null)), shownAs({ names: 'name-suffixed' })),
    );
    const rows = shown.map((line) => JSON.parse(line.toString()).object.rows[0].cells);
    expect(rows).toEqual([
      ['x.clusterspace.m1', 'Up'],
      ['x.clusterspace.m1', 'Up'],
    ]);
  });

  it('LIST-6: the column for the cluster is sent with the others, its cell is in every row', async () => {
    const view: View = { names: 'plain', annotated: 'cluster.karmada.io/name' };
    const shown = await Array.fromAsync(presentWatch(lines(table(columns), table(null)), shownAs(view)));
    const objects = shown.map((line) => JSON.parse(line.toString()).object);
    expect(objects.map(({ columnDefinitions }) => columnDefinitions?.length)).toEqual([3, undefined]);
    expect(objects.map(({ rows }) => rows[0].cells)).toEqual([
      ['x', 'Up', 'm1'],
      ['x', 'Up', 'm1'],
    ]);
  });
});

const bad = '{"kind":"Pod","metadata":{"name":"victim.clusterspace.m2"}}';

it.each([
  `{"type":"ADDED","object":{"kind":"Pod"},"object":${bad}}`,
  `{"type":"ADDED","object":{"kind":"Pod"},"obj\\u0065ct":${bad}}`,
  '{"type":"ADDED","object":{"kind":"Pod"},"type":"DELETED"}',
  `{"type":"ADDED","object":{"kind":"Pod","spec":[\u2028{"type":"ADDED","object":${bad}}\u2028]}}`,
  '{"type":"ADDED","object":{"kind":"Pod","spec":"a\rb"}}',
])('SEC-1: an event that clients would read otherwise is refused: %s', async (line) => {
  const body = async function* () {
    yield Buffer.from(`${line}\n`);
  };
  const shown = shownAs({ names: 'name-suffixed' });
  await expect(Array.fromAsync(presentWatch(body(), shown))).rejects.toThrow(JsonBytesError);
});

it('SEC-1: an event with line ends between its tokens is shown as one line', async () => {
  const body = async function* () {
    yield Buffer.from(`{"type":"ADDED","object":{"kind":"Pod","spec":[\r{"type":"ADDED","object":${bad}}\r]}}\n`);
  };
  const [line = ''] = await Array.fromAsync(presentWatch(body(), shownAs({ names: 'name-suffixed' })), String);
  expect(line.split(/\r\n|\r|\n/)).toHaveLength(2);
  expect(JSON.parse(line)).toMatchObject({ type: 'ADDED' });
});
