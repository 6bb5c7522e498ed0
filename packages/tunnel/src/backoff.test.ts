import { expect, test } from 'vitest';
import { Backoff } from './backoff.ts';
import { StillClock } from './testing/still-clock.ts';

/** The pauses in milliseconds after connections of these durations. */
async function pauses(lasted: number[], random: number): Promise<number[]> {
  const clock = new StillClock();
  const backoff = new Backoff(clock, () => random);
  const waited: number[] = [];
  for (const millis of lasted) {
    const before = clock.now();
    const waiting = backoff.wait(millis, new AbortController().signal);
    let isOver = false;
    waiting.then(() => {
      isOver = true;
    });
    while (!isOver) {
      clock.advance(1);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    }
    waited.push(Math.round((clock.now() - before) / 50) * 50);
  }
  return waited;
}

test('AGENT-6: each pause is twice the last, 8 s at most, and a lasting connection resets it', async () => {
  expect(await pauses([0, 0, 0, 0, 0, 0, 0, 60_000], 1)).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 250]);
});

test('jitter halves them at most; a connection that is cut off after its login does not reset them', async () => {
  expect(await pauses([0, 5000, 5000], 0)).toEqual([150, 250, 500]);
});
