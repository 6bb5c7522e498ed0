import { expect, test } from 'vitest';
import { Progress, Skipped } from './progress.ts';

function screen(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, write: (text: string) => written.push(text), text: () => written.join('') };
}

test('CLU-2: each step is one plain line where nobody watches', async () => {
  const plain = screen(false);
  const progress = new Progress(plain, {});
  await progress.step('Reach the member', async () => 'v1.36.3');
  await expect(progress.step('Register', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(plain.text()).toBe('  ✓ Reach the member: v1.36.3\n  ✗ Register\n');
});

test('a step that was left out has no check mark', async () => {
  const plain = screen(false);
  await new Progress(plain, {}).step('Clean up', async () => new Skipped('unreachable'));
  expect(plain.text()).toBe('  ! Clean up: unreachable\n');
});

test('colours are for terminals, and not with NO_COLOR', async () => {
  const [coloured, bare] = [screen(true), screen(true)];
  await new Progress(coloured, {}).step('x', async () => undefined);
  await new Progress(bare, { NO_COLOR: '1' }).step('x', async () => undefined);
  expect(coloured.text()).toContain('\x1b[32m');
  expect(bare.text()).not.toContain('\x1b[32m');
});

test('a long step reports its progress: in place on a terminal, otherwise as a line now and then', async () => {
  const [terminal, plain] = [screen(true), screen(false)];
  let now = 0;
  const work = async (report: (soFar: string) => void) => {
    for (let done = 1; done <= 4; done++) {
      now += 3_000;
      report(`${done} of 4`);
    }
    return undefined;
  };
  await new Progress(terminal, { NO_COLOR: '1' }, () => now).step('Start', work);
  expect(terminal.text()).toBe(
    `  … Start${[1, 2, 3, 4].map((done) => `\r\x1b[K  … Start: ${done} of 4`).join('')}\r\x1b[K  ✓ Start\n`,
  );
  await new Progress(plain, {}, () => now).step('Start', work);
  expect(plain.text()).toBe('  … Start: 2 of 4\n  … Start: 4 of 4\n  ✓ Start\n');
});
