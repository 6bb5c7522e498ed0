import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { Intake } from './intake.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Takes one byte a turn, and what `on` does with it. */
function oneByOne(on: (intake: Intake, byte: string) => void = () => {}) {
  const [near, far] = duplexPair();
  const taken: string[] = [];
  const intake: Intake = new Intake(near, (chunk) => {
    const byte = String.fromCharCode(chunk[0]!);
    taken.push(byte);
    on(intake, byte);
    return chunk.subarray(1);
  });
  return { near, far, taken, intake };
}

it('LIMIT-3: the rest is read in later turns, then the bytes after it', async () => {
  const { far, taken } = oneByOne();
  far.write('abc');
  far.write('d');
  await new Promise((resolve) => process.nextTick(resolve));
  expect(taken.length).toBeLessThan(3);
  for (let turn = 0; turn < 10; turn += 1) await settled();
  expect(taken.join('')).toBe('abcd');
});

it('nothing is read while it is paused; resumed, it continues', async () => {
  const { far, taken, intake } = oneByOne((self, byte) => {
    if (byte === 'a' || byte === 'c') self.hold();
    if (byte === 'c') self.release();
  });
  far.write('abcd');
  for (let turn = 0; turn < 10; turn += 1) await settled();
  expect(taken.join('')).toBe('a');
  intake.release();
  for (let turn = 0; turn < 10; turn += 1) await settled();
  expect(taken.join('')).toBe('abcd');
});

it('after a stop, remaining and later bytes are dropped, and the end is seen', async () => {
  const { near, far, taken } = oneByOne((self, byte) => {
    if (byte === 'b') self.stop();
  });
  far.end('abcd');
  for (let turn = 0; turn < 10; turn += 1) await settled();
  near.resume();
  for (let turn = 0; turn < 10; turn += 1) await settled();
  expect(taken.join('')).toBe('ab');
  expect(near.readableEnded).toBe(true);
});
