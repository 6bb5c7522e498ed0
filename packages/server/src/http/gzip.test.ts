import { gunzipSync } from 'node:zlib';
import { newChunk } from '@fleet/client/chunk-memory.ts';
import { describe, expect, it } from 'vitest';
import { bodyBytes } from '../testing/body-text.ts';
import { compressed } from './gzip.ts';
import type { PlainReply } from './message.ts';

const reply = (body: PlainReply['body'], headers: PlainReply['headers'] = {}): PlainReply => ({
  is: 'plain',
  status: 200,
  headers: { 'content-type': 'application/json', ...headers },
  body,
});
const client = (accepted?: string | string[]) => ({ 'accept-encoding': accepted });
const kib = (count: number) => Buffer.alloc(count * 1024, 'some text ');

describe('LIST-9: gzip by kube-apiserver’s rules', () => {
  it.each(['gzip', 'deflate, gzip', ['br', 'gzip']])('above 128 KiB for who accepts %j', async (accepted) => {
    const answer = (await compressed(reply(kib(129), { vary: 'Origin' }), client(accepted))) as PlainReply;
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: ['Origin', 'Accept-Encoding'] });
    expect(gunzipSync(await bodyBytes(answer))).toEqual(kib(129));
  });

  it.each([
    ['128 KiB are not above', reply(kib(128)), 'gzip'],
    ['nobody asked', reply(kib(200)), undefined],
    ['another encoding', reply(kib(200)), 'br, deflate'],
    // kube-apiserver knows no weights
    ['a weight', reply(kib(200)), 'gzip;q=0.5'],
    ['encoded already', reply(kib(200), { 'content-encoding': 'gzip' }), 'gzip'],
    ['no body', reply(undefined), 'gzip'],
  ])('not otherwise: %s', async (_, answer, accepted) => {
    expect(await compressed(answer, client(accepted))).toEqual(answer);
  });

  it.each([1, 127, 128])('not %s KiB that come as a stream', async (size) => {
    const streamed = (async function* () {
      for (let at = 0; at < size; at++) yield kib(1);
    })();
    const answer = (await compressed(reply(streamed), client('gzip'))) as PlainReply;
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(await bodyBytes(answer)).toHaveLength(size * 1024);
  });

  it('129 KiB that come as a stream', async () => {
    const streamed = (async function* () {
      for (let at = 0; at < 129; at++) yield kib(1);
    })();
    const answer = (await compressed(reply(streamed), client('gzip'))) as PlainReply;
    expect(gunzipSync(await bodyBytes(answer))).toHaveLength(129 * 1024);
  });

  it('the memory of chunks is used again once they are compressed', async () => {
    const memory = new Set<ArrayBufferLike>();
    const streamed = (async function* () {
      for (let count = 0; count < 20; count++) {
        const chunk = newChunk(100 * 1024).fill(count);
        memory.add(chunk.buffer);
        yield chunk;
      }
    })();
    const answer = (await compressed(reply(streamed), client('gzip'))) as PlainReply;
    const bytes = gunzipSync(await bodyBytes(answer));
    expect([0, 10, 19].map((count) => bytes[count * 100 * 1024 + 7])).toEqual([0, 10, 19]);
    expect(bytes).toHaveLength(20 * 100 * 1024);
    expect(memory.size).toBeLessThan(8);
  });

  it('a body that breaks never looks whole', async () => {
    const breaking = (async function* () {
      yield kib(300);
      throw new Error('broke');
    })();
    const answer = (await compressed(reply(breaking), client('gzip'))) as PlainReply;
    await expect(bodyBytes(answer)).rejects.toThrow('broke');
  });

  it.each(['before', 'after'])('a client that leaves %s its first bytes ends what feeds them', async (when) => {
    const ended = Promise.withResolvers<string>();
    const source: AsyncIterable<Buffer> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: kib(256) }),
        return: async () => {
          ended.resolve('ended');
          return { done: true, value: undefined };
        },
      }),
    };
    const answer = (await compressed(reply(source), client('gzip'))) as PlainReply;
    const bytes = (answer.body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    if (when === 'after') await bytes.next();
    await bytes.return?.();
    expect(await ended.promise).toBe('ended');
  });

  it('nothing is made that nobody takes', async () => {
    let made = 0;
    const source = (async function* () {
      // What does not compress, so that it does not vanish in buffers.
      for (; made < 1000; made++) yield crypto.getRandomValues(Buffer.alloc(64 * 1024));
    })();
    const answer = (await compressed(reply(source), client('gzip'))) as PlainReply;
    const bytes = (answer.body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    await bytes.next();
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBeLessThan(50);
    await bytes.return?.();
  });

  it('LIMIT-3: the event loop goes on meanwhile', async () => {
    const answer = (await compressed(reply(kib(16 * 1024)), client('gzip'))) as PlainReply;
    let turns = 0;
    let over = false;
    const turn = () => {
      turns++;
      if (!over) setImmediate(turn);
    };
    turn();
    await bodyBytes(answer);
    over = true;
    expect(turns).toBeGreaterThan(20);
  });
});
