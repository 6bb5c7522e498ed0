import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellQuote } from './shell-quote.ts';

test('a usual path stays as it is', () => {
  expect(shellQuote('/tmp/fleet-demo-x1Y/bin')).toBe('/tmp/fleet-demo-x1Y/bin');
});

test.each(['/my demo', "/it's", '/a"b$HOME`id`\\', '/*', '~', '', '/a;b&c', '/line\nbreak', '/größe'])('%j', (word) => {
  const script = `x=${shellQuote(word)}\nprintf %s "$x"`;
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(word);
});
