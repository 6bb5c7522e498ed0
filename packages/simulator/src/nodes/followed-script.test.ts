import { describe, expect, it } from 'vitest';
import { followScript } from './followed-script.ts';
import type { ScriptWorld } from './script-world.ts';

const worldWith = (variables: Record<string, string>): ScriptWorld => ({
  lookup: (name) => variables[name],
  files: new Set<string>(),
  directory: '/',
  base: () => ({
    read: () => undefined,
    size: () => undefined,
    entries: () => undefined,
    isDirectory: (path) => path === '/',
  }),
  couldHold: () => true,
});

const exitCode = (script: string, variables: Record<string, string> = {}) =>
  followScript(['-c', script], worldWith(variables))?.run.exitCode;

describe('a script is not followed any further, as it would take long, where it', () => {
  const text = 'x'.repeat(60_000);

  it('copies much', () => {
    const copies = (count: number) => `echo $TEXT > /a; ${'cp /a /b; '.repeat(count)} exit 3`;
    expect(exitCode(copies(3), { TEXT: text })).toBe(3);
    expect(exitCode(copies(300), { TEXT: text })).toBeUndefined();
  });

  it.each(['touch', 'rm -f', 'chmod +x', 'cat', 'ls'])('names many files: %s', (command) => {
    const paths = 'a '.repeat(25_000);
    const script = `${command} $PATHS; exit 3`;
    expect(exitCode(script, { PATHS: 'a b c' })).toBe(3);
    expect(exitCode(script, { PATHS: paths })).toBeUndefined();
  });

  it.each(['cp', 'mv'])('names many sources and one long target: %s', (command) => {
    const variables = { SOURCES: 'a '.repeat(10_000), TARGET: './'.repeat(10_000) };
    expect(exitCode(`${command} a $TARGET; exit 3`, variables)).toBe(3);
    expect(exitCode(`${command} $SOURCES $TARGET; exit 3`, variables)).toBeUndefined();
  });

  it('looks from a long directory again and again', () => {
    const deep = '/a'.repeat(2_000);
    const script = (count: number) => `cd $DEEP; ${'test -f x; '.repeat(count)} exit 3`;
    expect(exitCode(script(10), { DEEP: deep })).toBe(3);
    expect(exitCode(script(1_000), { DEEP: deep })).toBeUndefined();
  });
});

it('a variable is looked for once in each shell, also if it is empty', () => {
  let lookups = 0;
  const world = worldWith({ A: 'sh -c "$A"; $EMPTY', EMPTY: '' });
  const lookup = (name: string) => {
    lookups += 1;
    return world.lookup(name);
  };
  expect(followScript(['-c', 'sh -c "$A"; exit 3'], { ...world, lookup })?.run.exitCode).toBe(3);
  // Eight shells with two variables each.
  expect(lookups).toBeLessThanOrEqual(20);
});

it('the containers of a pod share what their scripts may use', () => {
  const script = `${'true; '.repeat(500)} exit 3`;
  const code = (sharers: number) => followScript(['-c', script], { ...worldWith({}), sharers })?.run.exitCode;
  expect([code(1), code(10), code(1_000)]).toEqual([3, 3, 1]);
});

it('a script enters no directory whose path is too long', () => {
  expect(exitCode('cd $DEEP || exit 3', { DEEP: '/a'.repeat(3_000) })).toBe(3);
});

it('a script redirects to no file whose name is too long, as the shell does', () => {
  const variables = { LONG: '/.'.repeat(3_000) };
  expect(exitCode('true </etc/x || exit 3; exit 4', variables)).toBe(4);
  expect(exitCode('true <$LONG/etc/x || exit 3', variables)).toBe(3);
  expect(exitCode('true >$LONG/tmp/x || exit 3', variables)).toBe(3);
});
