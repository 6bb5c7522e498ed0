import { describe, expect, test } from 'vitest';
import { patternOf, readTour } from './tour.ts';

const markdown = `# Title

\`\`\`sh
not part of it
\`\`\`

## A tour

\`\`\`sh
first
\`\`\`

\`\`\`text
shown
\`\`\`

\`\`\`console
not run
\`\`\`

\`\`\`sh
second
\`\`\`

## Later

\`\`\`sh
not part of it either
\`\`\`
`;

describe('readTour', () => {
  test('takes the sh blocks of one section, each with the output right behind it', () => {
    expect(readTour(markdown, 'A tour')).toEqual([
      { commands: 'first\n', shows: 'shown\n' },
      { commands: 'second\n', shows: undefined },
    ]);
  });

  test('a heading that is not there is an error, not an empty tour', () => {
    expect(() => readTour(markdown, 'Another')).toThrow('there is no heading "Another"');
  });
});

describe('patternOf', () => {
  test('spaces stand for any spaces, … for anything in a line', () => {
    expect('NAME     AGE\na (1)    27s\n').toMatch(patternOf('NAME   AGE\na (1)   …\n'));
  });

  test('… alone on a line stands for any lines', () => {
    expect('a\nb\nc\nd\n').toMatch(patternOf('a\n…\nd\n'));
    expect('a\nd\n').toMatch(patternOf('a\n…\nd\n'));
  });

  test.each([
    ['a line more', 'a\nb\n'],
    ['a line less', ''],
    ['another text', 'b\n'],
  ])('%s does not match', (_, output) => {
    expect(output).not.toMatch(patternOf('a\n'));
  });
});
