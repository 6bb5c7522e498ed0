import type { ColumnDefinition } from '@fleet/kube/list-splitter.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { FeedWriter } from './feed-writer.ts';
import type { FeedSpec } from './messages.ts';
import { MemoryShard } from './shard.ts';

const time = Date.parse('2026-01-01T00:00:00Z');
const column = (name: string, type = 'string', description = ''): ColumnDefinition => ({
  name,
  type,
  format: '',
  description,
  priority: 0,
});

function itemsOf({ chunk, ends }: { chunk: Uint8Array; ends: Uint32Array }): string[] {
  const text = Buffer.from(chunk);
  return [...ends].map((end, index) => text.toString('utf8', ends[index - 1] ?? 0, end));
}

const shards: MemoryShard[] = [];
afterEach(async () => {
  for (const shard of shards.splice(0)) await shard[Symbol.asyncDispose]();
});

/** The rows of a feed without objects, `age` milliseconds after they were listed. */
async function rowsAfter(
  age: number,
  columns: readonly ColumnDefinition[],
  rows: readonly string[],
  spec: Partial<FeedSpec> = {},
): Promise<string[] | string> {
  let now = time;
  const shard = new MemoryShard({ limit: 1e8, segmentSize: 1e6, now: () => now, clock: () => 0 });
  shards.push(shard);
  const pods = { group: '', version: 'v1', resource: 'pods', kind: 'Pod', namespaced: false };
  await shard.want({ feeds: [{ id: 'x', cluster: 'm1', ...pods, ...spec }] });
  const writer: FeedWriter = shard.writer('x')!;
  writer.columns(columns);
  using relist = writer.relist('row');
  relist.add(rows.map((row) => Buffer.from(row)));
  relist.commit('1');
  now += age;
  const form = { as: 'Table', includeObject: 'None' } as const;
  const answer = await shard.read({ feed: 'x', at: 'now', form, bytes: 1e6 });
  return answer.is === 'page' ? itemsOf(answer) : answer.is;
}

const meta = '"metadata":{"name":"a","creationTimestamp":"2025-12-31T23:59:30Z"}';
const object = `{"kind":"Pod","apiVersion":"v1",${meta}}`;
const minute = 60_000;

describe('CACHE-13: only cells with a time relative to now are rewritten', () => {
  const columns = [column('Name'), column('Age'), column('Note')];

  it('byte for byte, whatever else the row has', async () => {
    const row = (age: string) =>
      `{"cells":["a \\"Age\\"]","${age}",[1,{"x":"30s"}]],"conditions":[{"type":"Completed"}],"object":`;
    expect(await rowsAfter(minute, columns, [`${row('30s')}${object}}`])).toEqual([`${row('90s')}null}`]);
    const spaced = (age: string) => ` { "conditions" : [] , "cells" : [ "a" , "${age}" , 1 ] , "object" : `;
    expect(await rowsAfter(minute, columns, [`${spaced('30s')}${object} }`])).toEqual([`${spaced('90s')}null }`]);
  });

  it('as Go writes what is in the future', async () => {
    const row = `{"cells":["a","\\u003cinvalid\\u003e","x"],"object":${object.replace('2025', '2026')}}`;
    expect(await rowsAfter(0, columns, [row])).toEqual(['{"cells":["a","\\u003cinvalid\\u003e","x"],"object":null}']);
  });

  it.each([
    ['fewer cells than columns', '{"cells":["a"],"object":'],
    ['invalid cells', '{"cells":[,],"object":'],
    ['no cells', '{"cells":[],"object":'],
    ['a cell that is not a string', '{"cells":["a",null,"x"],"object":'],
    ['an unknown time', '{"cells":["a","\\u003cunknown\\u003e"],"object":'],
    ['a time in full', '{"cells":["a","2025-12-31T23:59:30Z"],"object":'],
  ])('%s', async (_, head) => {
    expect(await rowsAfter(minute, columns, [`${head}${object}}`])).toEqual([`${head}null}`]);
  });

  it('objects whose inside cannot be read have the cells that they came with', async () => {
    const restarts = [column('Name'), column('Restarts'), column('Age')];
    const broken = `{"kind":"Pod","apiVersion":"v1",${meta},"status":{"containerStatuses":[{"lastState" 1}]}}`;
    const head = (age: string) => `{"cells":["a","3 (5m ago)","${age}"],"object":`;
    expect(await rowsAfter(minute, restarts, [`${head('30s')}${broken}}`])).toEqual([`${head('90s')}null}`]);
  });

  it.each([
    ['")"', '")"'],
    ['"3"', '"3"'],
    ['"3 (5m ago)"', '"3 (2m ago)"'],
    ['"é \u2028(5m ago)"', '"é \u2028(2m ago)"'],
  ])('only what stands in parentheses is written anew: %s', async (printed, shown) => {
    const restarts = [column('Name'), column('Restarts')];
    const ended = `{"lastState":{"terminated":{"finishedAt":"2025-12-31T23:59:00Z"}}}`;
    const pod = `{"kind":"Pod","apiVersion":"v1",${meta},"status":{"containerStatuses":[${ended}]}}`;
    const head = (cell: string) => `{"cells":["a",${cell}],"object":`;
    expect(await rowsAfter(minute, restarts, [`${head(printed)}${pod}}`])).toEqual([`${head(shown)}null}`]);
  });

  it('cells behind the object are no kube-apiserver’s: Tables are the member’s', async () => {
    expect(await rowsAfter(minute, columns, [`{"object":${object},"cells":["a","30s","x"]}`])).toBe('no-table');
  });
});

describe('CACHE-13: a date column without a known path', () => {
  const columns = [column('Name'), column('When', 'date', 'When it was')];
  const things = { group: 'example.com', resource: 'things', kind: 'Thing', typeMetaInLists: true };

  it.each([
    ['30s', ['90s']],
    ['29s', ['90s']],
    ['31s', ['90s']],
    ['28s', 'no-table'],
    ['32s', 'no-table'],
    ['5m', 'no-table'],
    ['\\u003cinvalid\\u003e', 'no-table'],
    ['\\u003cunknown\\u003e', ['\\u003cunknown\\u003e']],
  ])('printed as %s half a minute behind the creation', async (printed, shown) => {
    const expected = Array.isArray(shown) ? shown.map((text) => `{"cells":["a","${text}"],"object":null}`) : shown;
    expect(await rowsAfter(minute, columns, [`{"cells":["a","${printed}"],"object":${object}}`], things)).toEqual(
      expected,
    );
  });
});
