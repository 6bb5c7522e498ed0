import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ThreadLimits, ThreadPool } from './thread-pool.ts';

interface Job {
  does: 'double' | 'hang' | 'fill' | 'end';
  given: number;
}

const script = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ does, given }) => {
    if (does === 'double') return parentPort.postMessage(given * 2);
    if (does === 'end') process.exit();
    const kept = [];
    for (;;) if (does === 'fill') kept.push(new Array(1000).fill(Math.random()));
  });`;

function openPool(limits: Partial<ThreadLimits> = {}): ThreadPool<Job, number> {
  const start = () => new Worker(script, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
  const pool = new ThreadPool<Job, number>(start, limits);
  onTestFinished(() => pool[Symbol.asyncDispose]());
  return pool;
}

const double = (given: number): Job => ({ does: 'double', given });
const hang: Job = { does: 'hang', given: 0 };

describe('LIMIT-2: threads', { timeout: 30_000 }, () => {
  it('are few, start when they are needed, and end when there is nothing to do', async () => {
    // Longer than one of two threads may wait for a CPU while the other works.
    const pool = openPool({ threads: 2, idle: 2_000 });
    expect(pool.running).toBe(0);
    expect(await Promise.all([1, 2, 3, 4, 5].map((given) => pool.run(double(given))))).toEqual([2, 4, 6, 8, 10]);
    expect(pool.running).toBe(2);
    await expect.poll(() => pool.running, { timeout: 20_000 }).toBe(0);
    expect(await pool.run(double(4))).toBe(8);
  });

  it('have a line, beyond which is 429', async () => {
    const pool = openPool({ threads: 1, waiting: 2 });
    const taken = [1, 2, 3].map((given) => pool.run(double(given)));
    await expect(pool.run(double(4))).rejects.toMatchObject({ code: 429 });
    expect(await Promise.all(taken)).toEqual([2, 4, 6]);
  });

  it('leave what takes too long, what nobody waits for and what takes too much memory, and go on', async () => {
    const pool = openPool({ threads: 1, within: 1_000 });
    await expect(pool.run(hang)).rejects.toMatchObject({ code: 504 });
    const gone = new AbortController();
    const left = expect(pool.run(hang, gone.signal)).rejects.toMatchObject({ code: 503 });
    gone.abort();
    await left;
    expect(await pool.run(double(1))).toBe(2);
    const large = openPool({ threads: 1 });
    await expect(large.run({ does: 'fill', given: 0 })).rejects.toMatchObject({ code: 413 });
    expect(await large.run(double(1))).toBe(2);
  });

  it('that end by themselves are reported', async () => {
    const pool = openPool({ threads: 1 });
    await expect(pool.run({ does: 'end', given: 0 })).rejects.toMatchObject({ code: 503 });
    expect(await pool.run(double(1))).toBe(2);
  });
});
