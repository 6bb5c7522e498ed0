import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { joinPieces } from '@fleet/client/chunk-memory.ts';
import { describe, expect, it } from 'vitest';
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
