import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkTour } from './check.ts';

const options = () => {
  const written: string[] = [];
  const { signal } = new AbortController();
  return {
    written,
    env: { ...process.env, NAME: 'x' },
    signal,
    within: 0,
    write: (text: string) => written.push(text),
  };
};

test('all stops are run, and those named that do not show what they promise', async () => {
  const checked = options();
  const failed = await checkTour(
    [
      { why: '', line: 'echo "hello $NAME" >&2', shows: ['hello x'] },
      { why: '', line: 'echo hello', shows: ['other'] },
      { why: '', line: 'echo other; exit 3', shows: ['other'] },
      { why: '', line: 'echo last', shows: [] },
    ],
    checked,
  );
  expect(failed).toEqual(['echo hello', 'echo other; exit 3']);
  expect(checked.written.join('')).toContain('$ echo last\nlast\n');
  expect(checked.written.join('')).toContain('FAILED: exit code 3');
});

test('what a line shows are words in their order', async () => {
  const line = 'echo "web  3/3   v1.36.3"; echo "db 0/1"';
  const stop = (shown: string) => ({ why: '', line, shows: [shown] });
  const checked = options();
  const works = async (shown: string) => (await checkTour([stop(shown)], checked)).length === 0;
  expect(await Promise.all(['web v1.36', 'web 3/3 v1', 'db 0/1'].map(works))).toEqual([true, true, true]);
  expect(await Promise.all(['3/3 web', 'web 0/1', 'eb 3/3', 'web web'].map(works))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('a stop is run again until it shows it', async () => {
  const line = 'n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) | tee count';
  const folder = await mkdtemp(join(tmpdir(), 'fleet-check-'));
  const checked = { ...options(), within: 10_000 };
  try {
    expect(await checkTour([{ why: '', line: `cd ${folder}; ${line}`, shows: ['2'] }], checked)).toEqual([]);
    expect(checked.written).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
