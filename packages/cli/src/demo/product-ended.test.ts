import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describe as described } from '../errors.ts';
import { productEnded } from './product-ended.ts';

async function logOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'fleet.log');
  await writeFile(file, text);
  return file;
}

const numbered = Array.from({ length: 25 }, (_, index) => `line ${index + 1}\n`).join('');

test('names the log of a demo that is kept', async () => {
  const logFile = await logOf(numbered);
  expect((await productEnded(1, { logFile, isKept: true })).message).toBe(`the product ended (1): see ${logFile}`);
});

test('shows the end of a log that goes with the demo', async () => {
  const logFile = await logOf(`${numbered}\nError: no space\n`);
  const { message } = await productEnded('SIGABRT', { logFile, isKept: false });
  const [first, ...lines] = message.split('\n');
  expect(first).toBe('the product ended (SIGABRT):');
  expect(lines).toHaveLength(10);
  expect(lines.at(0)).toBe('line 17');
  expect(lines.at(-1)).toBe('Error: no space');
  expect(message).not.toContain(logFile);
});

test('shows nothing if there is nothing', async () => {
  const empty = await logOf('\n');
  for (const logFile of [empty, `${empty}.gone`])
    expect(described(await productEnded('SIGKILL', { logFile, isKept: false }))).toBe('the product ended (SIGKILL)');
});
