import { mostColumns } from '@fleet/kube/list-splitter.ts';
import { describe, expect, it } from 'vitest';
import { columnMapping, layoutOf, listColumns, mergeColumns, withLayout } from './table-columns.ts';

const column = (name: string) => ({ name, type: 'string', format: '', description: '', priority: 0 });
const columns = (...names: string[]) => names.map(column);
const many = (count: number, prefix = '') => Array.from({ length: count }, (_, index) => column(`${prefix}${index}`));
const namesOf = (merged: readonly { name: string }[]) => merged.map(({ name }) => name).join(' ');

describe('LIST-5: columns', () => {
  it('of several layouts come behind what they stand behind', () => {
    expect(namesOf(mergeColumns([columns('a', 'b', 'c'), columns('a', 'x', 'y', 'c', 'z')]))).toBe('a x y b c z');
    expect(namesOf(mergeColumns([columns('a', 'b'), columns('x', 'b', 'y', 'a')]))).toBe('x a b y');
    expect(namesOf(mergeColumns([columns('a', 'a', 'b'), []]))).toBe('a b');
  });

  it('are taken from where the member has them first', () => {
    expect(columnMapping(columns('a', 'b', 'a'), columns('a', 'x', 'b'))).toEqual([0, -1, 1]);
    expect(columnMapping(columns('a', 'b'), columns('a', 'b'))).toBeUndefined();
  });

  it('of an earlier page keep their order', () => {
    const described = [{ ...column('b'), description: 'text' }, column('x')];
    expect(withLayout(layoutOf(columns('a', 'b')), described)).toEqual([column('a'), described[0]]);
    expect(withLayout(undefined, described)).toBe(described);
  });
});

describe('SEC-3: a member that makes up columns', () => {
  it('takes none of the others’', () => {
    const made = many(mostColumns, 'made up by the first member ');
    const merged = listColumns([made, columns('Name', 'Age'), columns('Name', 'Node')]);
    expect(namesOf(merged)).toBe('Name Node Age');
    const long = [column('x'.repeat(20_000))];
    expect(namesOf(listColumns([long, columns('Name', 'Age'), columns('Name', 'Node')]))).toBe('Name Node Age');
  });

  it('is shown where nobody else has any', () => {
    const made = many(mostColumns, 'made up ');
    expect(listColumns([made, made])).toEqual(made);
  });
});
