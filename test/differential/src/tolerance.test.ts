import { expect, it } from 'vitest';
import type { Call } from './request.ts';
import { parseTolerated } from './tolerance.ts';

const head = '| suite | verb | resource | path | where | left | right | reason |\n|---|---|---|---|---|---|---|---|\n';
const call = { verb: 'list', resource: 'pods', request: { path: '/api/v1/pods' } } as Call;

it('reads patterns, and leaves other suites alone', () => {
  const [row] = parseTolerated(
    `# Differences\n\n${head}| vanilla | list | * | /api/* | \`header *\` |  | "a\\|b*" | because |\n`,
  );
  expect(row?.suite).toBe('vanilla');
  expect(row?.matches(call, { where: 'header warning', left: 'x', right: '"a|b!"' })).toBe(true);
  expect(row?.matches(call, { where: 'header warning', left: 'x', right: '"c"' })).toBe(false);
  expect(row?.matches(call, { where: 'status', left: 'x', right: '"a|b"' })).toBe(false);
  const otherPath = { ...call, request: { ...call.request, path: '/apis/x' } };
  expect(row?.matches(otherPath, { where: 'header warning', left: 'x', right: '"a|b!"' })).toBe(false);
});

it('wants a reason', () => {
  expect(() => parseTolerated(`${head}| vanilla | list | * | | status | 200 | 404 |  |`)).toThrow(
    'a reason is missing',
  );
  expect(() => parseTolerated(`${head}| vanilla | list |`)).toThrow('8 columns');
});

it('other tables of the page are not its business', () => {
  const row = '| vanilla | list | * | | status | 200 | 404 | because |';
  const other = '| plugin | member |\n|---|---|\n| Priority | yes |';
  expect(parseTolerated(`${other}\n\n${head}${row}\n\n${other}\n`)).toHaveLength(1);
});

it('a page without rows tolerates nothing', () => {
  expect(parseTolerated(`# Differences\n\n${head}`)).toEqual([]);
});
