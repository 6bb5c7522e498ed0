import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { joinPieces } from '@fleet/client/chunk-memory.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startListening } from '../testing/listening.ts';

const count = 60;
const piece = (index: number) => Buffer.alloc(300 * 1024, `chunk ${index};`);

async function* chunks() {
  for (let index = 0; index < count; index++) yield joinPieces([piece(index)]);
}

const whole = (() => {
  const hash = createHash('sha256');
  for (let index = 0; index < count; index++) hash.update(piece(index));
  return hash.digest('hex');
})();

/** Stops now and then, so that chunks wait. */
async function digestOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  let next = 0;
  let read = 0;
  for await (const chunk of stream) {
    hash.update(chunk as Buffer);
    read += (chunk as Buffer).length;
    if (read < next) continue;
    next += 4 * 1024 * 1024;
    await pause(5);
  }
  return hash.digest('hex');
}

describe('chunks whose memory is used again', () => {
  it('arrive as they were, over HTTP/1.1 and HTTP/2 at once', { timeout: 30_000 }, async () => {
    const reply = () => ({ is: 'plain' as const, status: 200, headers: {}, body: chunks() });
    await using listening = await startListening(async () => reply());
    const h1 = async () => {
      const { promise, resolve } = Promise.withResolvers<Readable>();
      listening.h1('/').on('response', resolve).end();
      return digestOf(await promise);
    };
    const session = listening.h2();
    const h2 = () => digestOf(session.request({ ':path': '/' }));
    expect(await Promise.all([h1(), h2(), h1(), h2()])).toEqual([whole, whole, whole, whole]);
    expect(listening.errors).toEqual([]);
  });
});

describe('SEC-2: an answer that holds memory which others wait for', () => {
  const ended = vi.fn();
  /** Its owner is notified when it ends, and releases memory. */
  async function* held() {
    try {
      yield* chunks();
    } finally {
      ended();
    }
  }
  const serve = (mustMove: { mustMove?: () => boolean }, stalledTimeout = 300) =>
    startListening(async () => ({ is: 'plain', status: 200, headers: {}, body: held(), ...mustMove }), {
      patience: { stalledTimeout },
    });

  afterEach(() => ended.mockClear());

  it.each(['HTTP/1.1', 'HTTP/2'])('is ended where its client takes nothing, over %s', async (protocol) => {
    await using listening = await serve({ mustMove: () => true });
    const { promise, resolve } = Promise.withResolvers<Readable>();
    if (protocol === 'HTTP/2') resolve(listening.h2().request({ ':path': '/' }).pause());
    else
      listening
        .h1('/')
        .on('response', (response) => resolve(response.pause()))
        .end();
    const answer = await promise;
    const broken = once(answer, 'error');
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1), { timeout: 5_000 });
    // One that is not read does not notice.
    answer.resume();
    await broken;
    expect(listening.errors).toEqual([]);
  });

  it('goes on as slowly as its client reads, as long as that reads', { timeout: 30_000 }, async () => {
    const stalledTimeout = 2_000;
    await using listening = await serve({ mustMove: () => true }, stalledTimeout);
    const { promise, resolve } = Promise.withResolvers<Readable>();
    listening.h1('/').on('response', resolve).end();
    const hash = createHash('sha256');
    const begun = Date.now();
    for await (const chunk of await promise) {
      hash.update(chunk as Buffer);
      // Chunks are of other sizes in other versions of Node.
      await pause((chunk as Buffer).length / 6_000);
    }
    expect(hash.digest('hex')).toBe(whole);
    expect(Date.now() - begun).toBeGreaterThan(stalledTimeout);
  });

  it('only there: whoever follows a log may stop reading it', async () => {
    await using listening = await serve({ mustMove: () => false });
    const { promise, resolve } = Promise.withResolvers<Readable>();
    listening.h1('/').on('response', resolve).end();
    const response = await promise;
    await pause(600);
    expect(ended).not.toHaveBeenCalled();
    expect(await digestOf(response)).toBe(whole);
  });
});
