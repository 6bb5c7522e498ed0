import { describe, expect, test } from 'vitest';
import { Progress } from '../progress.ts';
import { joinEach, namedContexts } from './join-each.ts';

describe('--contexts', () => {
  test('contexts by their own names, or by others', () => {
    expect(namedContexts('a,b=admin@b,c=x=y')).toEqual([
      { name: 'a', context: 'a' },
      { name: 'b', context: 'admin@b' },
      { name: 'c', context: 'x=y' },
    ]);
  });

  test.each([
    ['a,', '--contexts takes contexts with commas between them, not "a,"'],
    ['=a', '--contexts takes contexts with commas between them, not "=a"'],
    ['a,b,a=c', '--contexts names "a" twice'],
    ['admin@a', 'Give it one, as in --contexts NAME=admin@a'],
    ['karmada', 'the name "karmada" is reserved; choose another one. Give it one, as in --contexts NAME=karmada'],
    ['A=a', '"A" is no name for a cluster'],
  ])('%s', (list, message) => expect(() => namedContexts(list)).toThrow(message));
});

function each(uids: Record<string, string>, signal = new AbortController().signal) {
  let output = '';
  const progress = new Progress({ write: (text) => (output += text) }, {});
  const done = joinEach(namedContexts(Object.keys(uids).join(',')), {
    progress,
    signal,
    async joinOne({ name }, { progress: own, claim }) {
      own.print('its steps are not shown');
      claim(uids[name]!);
      if (name.startsWith('bad')) {
        own.print('    left behind: Namespace fleet-system (gone)');
        throw new Error('no such host');
      }
      if (name.startsWith('shared')) own.warn('joined to another fleet before');
      return { isNew: !name.startsWith('known'), version: 'v1.36.3' };
    },
  });
  return { done, output: () => output };
}

test('CLU-2: each has one line', async () => {
  const { done, output } = each({ a: 'uid-1', known: 'uid-2' });
  await done;
  expect(output()).toBe('  ✓ a: joined, v1.36.3\n  ✓ known: was registered already, v1.36.3\n');
});

test('CLU-2: warnings of one stand below its line', async () => {
  const { done, output } = each({ shared: 'uid-1' });
  await done;
  expect(output()).toBe('  ✓ shared: joined, v1.36.3\nWarning: joined to another fleet before\n');
});

test('CLU-2: one that fails keeps none of the others, and is counted', async () => {
  const { done, output } = each({ bad: 'uid-1', a: 'uid-2' });
  await expect(done).rejects.toThrow('1 of 2 clusters did not join');
  expect(output()).toContain('  ✗ bad: no such host\n    left behind: Namespace fleet-system (gone)\n');
  expect(output()).toContain('  ✓ a: joined, v1.36.3\n');
});

test('CLU-2: two contexts of one cluster are not joined as two', async () => {
  const { done, output } = each({ a: 'uid-1', b: 'uid-1' });
  await expect(done).rejects.toThrow('1 of 2 clusters did not join');
  expect(output()).toContain('  ✗ b: it is the same cluster as a\n');
});

test('an interruption ends it', async () => {
  const reason = new Error('interrupted');
  await expect(each({ a: 'uid-1' }, AbortSignal.abort(reason)).done).rejects.toBe(reason);
});
