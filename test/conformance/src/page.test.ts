import { expect, test } from 'vitest';
import { outcomeTable, withSection } from './page.ts';

const outcome = (passed: boolean) => ({ passed, seconds: 1, message: undefined });

test('a section takes the place of the one of its title, and leaves the others', () => {
  const page = withSection(withSection('# Page\n\nwords\n', { title: 'A', text: 'one' }), { title: 'B', text: 'two' });
  expect(page).toBe('# Page\n\nwords\n\n## A\n\none\n\n## B\n\ntwo\n');
  expect(withSection(page, { title: 'A', text: 'three\n' })).toBe('# Page\n\nwords\n\n## A\n\nthree\n\n## B\n\ntwo\n');
});

test('the table has every spec of every place', () => {
  const left = new Map([['b | c', outcome(true)]]);
  const right = new Map([
    ['b | c', outcome(false)],
    ['a', outcome(true)],
  ]);
  expect(outcomeTable({ left, right })).toBe(
    '| spec | left | right |\n| --- | --- | --- |\n| a | not run | passed |\n| b \\| c | passed | failed |',
  );
});
