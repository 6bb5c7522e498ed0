import { mostColumns } from '@fleet/kube/list-splitter.ts';
import { describe, expect, it } from 'vitest';
import { readEventLine } from '../merge/event-line.ts';
import { WatchedColumns } from './columns.ts';
import { EventEncoder } from './encode.ts';

const column = (name: string) => ({ name, type: 'string', format: '', description: '', priority: 0 });
const columns = (...names: string[]) => names.map(column);
const namesOf = ({ shown }: WatchedColumns) => shown.map(({ name }) => name).join(' ');

describe('LIST-5: the columns of a watch', () => {
  it('are the same object until there are more, and rows follow them', () => {
    const watched = new WatchedColumns(false, false);
    watched.learn('m1', columns('Name', 'Age'));
    const { shown } = watched;
    watched.learn('m2', columns('Age', 'Name'));
    expect(watched.shown).toBe(shown);
    expect([watched.mappingOf('m1'), watched.mappingOf('m2')]).toEqual([undefined, [1, 0]]);
    watched.learn('m2', columns('Age', 'Node', 'Name'));
    expect(namesOf(watched)).toBe('Name Age Node');
    expect([watched.mappingOf('m1'), watched.mappingOf('m2')]).toEqual([
      [0, 1, -1],
      [2, 0, 1],
    ]);
    watched.learn('m1', columns('Name', 'Age', 'Node'));
    expect(watched.mappingOf('m1')).toBeUndefined();
  });
});

describe('SEC-3: a member that makes up columns', () => {
  it('adds so many to a watch and no more; others add theirs', () => {
    const watched = new WatchedColumns(false, false);
    const made = (from: number) => Array.from({ length: 600 }, (_, index) => column(`${from + index}`));
    watched.learn('m1', made(0));
    watched.learn('m1', made(600));
    expect(watched.shown).toHaveLength(600);
    watched.learn('m2', columns('Name', 'Age'));
    watched.learn('m3', [{ ...column('long'), description: 'x'.repeat(300_000) }]);
    expect(watched.shown).toHaveLength(602);
  });

  it('changes them so often and no more', () => {
    const watched = new WatchedColumns(false, false);
    for (let index = 0; index < 300; index++) watched.learn('m1', [column(`${index}`)]);
    expect(watched.shown).toHaveLength(100);
    watched.learn('m2', columns('Name', 'Age'));
    expect(watched.shown).toHaveLength(102);
  });

  it.each([
    ['too many', JSON.stringify(Array.from({ length: mostColumns + 1 }, (_, index) => ({ name: `${index}` })))],
    ['none', '[null]'],
  ])('an event with columns that are %s is garbage', (_, made) => {
    const encoder = new EventEncoder({
      view: { names: 'name-suffixed' },
      isEvent: false,
      asked: undefined,
      form: 'Table',
    });
    const line = Buffer.from(`{"type":"ADDED","object":{"columnDefinitions":${made},"rows":[]}}`);
    expect(() =>
      encoder.batch('m1', {
        events: [{ line, read: readEventLine(line), position: '1' }],
        position: '1',
        resumable: true,
      }),
    ).toThrow('a Table with invalid or too many columns');
  });
});
