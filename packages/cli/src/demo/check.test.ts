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
      { why: '', line: 'echo "hello $NAME" >&2', shows: [/^hello x$/m] },
      { why: '', line: 'echo hello', shows: [/other/] },
      { why: '', line: 'echo other; exit 3', shows: [/other/] },
      { why: '', line: 'echo last', shows: [] },
    ],
    checked,
  );
  expect(failed).toEqual(['echo hello', 'echo other; exit 3']);
  expect(checked.written.join('')).toContain('$ echo last\nlast\n');
  expect(checked.written.join('')).toContain('FAILED: exit code 3');
});

test('a stop is run again until it shows it', async () => {
  const line = 'n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) | tee count';
  const folder = await mkdtemp(join(tmpdir(), 'fleet-check-'));
  const checked = { ...options(), within: 10_000 };
  try {
    expect(await checkTour([{ why: '', line: `cd ${folder}; ${line}`, shows: [/^2$/m] }], checked)).toEqual([]);
    expect(checked.written).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
