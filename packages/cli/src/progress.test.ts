import { expect, test } from 'vitest';
import { Progress } from './progress.ts';

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

test('colours are for terminals, and not with NO_COLOR', async () => {
  const [coloured, bare] = [screen(true), screen(true)];
  await new Progress(coloured, {}).step('x', async () => undefined);
  await new Progress(bare, { NO_COLOR: '1' }).step('x', async () => undefined);
  expect(coloured.text()).toContain('\x1b[32m');
  expect(bare.text()).not.toContain('\x1b[32m');
});
