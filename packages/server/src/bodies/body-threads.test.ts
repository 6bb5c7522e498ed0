import { afterEach, describe, expect, it } from 'vitest';
import { parseTarget } from '../target/parse.ts';
import { BodyThreads } from './body-threads.ts';

const parsed = parseTarget('PUT', '/api/v1/namespaces/d/configmaps/x.clusterspace.m1');
const { ask, place, view } = parsed;
const small = 'metadata: {name: x.clusterspace.m1}';
/** Half a minute and gigabytes. */
const endless = `clusterspace:\n${'- 1\n'.repeat(700_000)}`;

const opened: BodyThreads[] = [];
const open = (limits: ConstructorParameters<typeof BodyThreads>[0] = {}) => {
  const threads = new BodyThreads(limits);
  opened.push(threads);
  const read = (text: string, signal = new AbortController().signal) =>
    threads.run(
      'read',
      [
        { ask, place, view },
        { bytes: Buffer.from(text), contentType: 'application/yaml' },
      ],
      signal,
    );
  return { threads, read };
};

afterEach(async () => {
  await Promise.all(opened.splice(0).map((threads) => threads[Symbol.asyncDispose]()));
});

const name = { names: { name: 'x.clusterspace.m1' } };

describe('LIMIT-2: the threads for bodies', { timeout: 60_000 }, () => {
  it('are few, and start when they are needed', async () => {
    const { threads, read } = open({ threads: 2 });
    expect(threads.running).toBe(0);
    const readings = await Promise.all(Array.from({ length: 20 }, () => read(small)));
    expect(readings).toMatchObject(readings.map(() => name));
    expect(threads.running).toBe(2);
  });

  it('end when they have had nothing to do, and start again', async () => {
    const { threads, read } = open({ idle: 1 });
    await read(small);
    await expect.poll(() => threads.running).toBe(0);
    expect(await read(small)).toMatchObject(name);
  });

  it('have a line, beyond which is 429', async () => {
    const { read } = open({ threads: 1, waiting: 3 });
    // One is worked on, three wait.
    const taken = Promise.all([1, 2, 3, 4].map(() => read(small)));
    await expect(read(small)).rejects.toMatchObject({ code: 429 });
    await taken;
  });

  it('leave what takes too long, with 504, and continue with what waits', async () => {
    const { read } = open({ threads: 1, within: 2_500 });
    await expect(read(endless)).rejects.toMatchObject({ code: 504, reason: 'Timeout' });
    expect(await read(small)).toMatchObject(name);
  });

  it('leave what nobody waits for any more', async () => {
    const { read, threads } = open({ threads: 1 });
    const [gone, waiting] = [new AbortController(), new AbortController()];
    const why = new Error('the client is gone');
    const first = expect(read(endless, gone.signal)).rejects.toBe(why);
    const second = expect(read(endless, waiting.signal)).rejects.toBe(why);
    const third = read(small);
    waiting.abort(why);
    gone.abort(why);
    await Promise.all([first, second]);
    expect(await third).toMatchObject(name);
    expect(threads.running).toBe(1);
  });

  it('survive what takes too much memory: 413, and the next is read', async () => {
    const { read } = open({ threads: 1, megabytes: 32 });
    await expect(read(endless)).rejects.toMatchObject({ code: 413 });
    expect(await read(small)).toMatchObject(name);
  });

  it('end with what they are at', async () => {
    const { threads, read } = open({ threads: 1 });
    const cut = Promise.all([1, 2].map(() => expect(read(endless)).rejects.toThrow('has ended')));
    await threads[Symbol.asyncDispose]();
    await cut;
    expect(threads.running).toBe(0);
  });
});
