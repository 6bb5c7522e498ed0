import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { statusErrorOf } from '@fleet/kube/status.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listening, startListening } from '../testing/listening.ts';
import { incomingOf } from '../testing/targets.ts';
import { errorReply } from './boundary.ts';
import { jsonReply } from './message.ts';
import { readBody } from './read-body.ts';

const limit = 3 * 1024 * 1024;

const post = (body: Readable | undefined, headers = {}, signal = new AbortController().signal) =>
  incomingOf('POST', '/', { body, headers, signal });

describe('a body that the product reads itself', () => {
  it('comes whole, in however many pieces', async () => {
    expect(await readBody(post(Readable.from([Buffer.from('{"a"'), Buffer.from(':1}')])))).toEqual(
      Buffer.from('{"a":1}'),
    );
  });

  it('is empty where there is none', async () => {
    expect(await readBody(post(undefined))).toEqual(Buffer.alloc(0));
  });

  it('LIMIT-1: may have 3 MiB to the byte', async () => {
    expect(await readBody(post(Readable.from([Buffer.alloc(limit)])))).toHaveLength(limit);
  });

  it('SEC-2: takes no more memory in pieces of one byte', async () => {
    let pieces = 0;
    const body = new Readable({
      read() {
        // Each its own, as they come from a connection.
        this.push(pieces++ < 1_000_000 ? Buffer.from('x') : null);
      },
    });
    const [before, most] = [process.memoryUsage(), { taken: 0 }];
    body.on('end', () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      most.taken = heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers;
    });
    expect(await readBody(post(body))).toHaveLength(1_000_000);
    expect(most.taken).toBeLessThan(48 * 1024 * 1024);
  });

  const tooLarge = {
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: limit is 3145728',
  };

  it('LIMIT-1: a byte more is 413 in kube-apiserver’s words, and no more is read', async () => {
    let pieces = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          pieces++;
          yield Buffer.alloc(1024 * 1024);
        }
      })(),
    );
    await expect(readBody(post(endless))).rejects.toMatchObject(tooLarge);
    expect(pieces).toBeLessThan(25);
    expect(endless.destroyed).toBe(false);
  });

  it('LIMIT-1: one that is announced too large is refused before it is read', async () => {
    const body = new Readable({
      read() {
        throw new Error('read');
      },
    });
    await expect(readBody(post(body, { 'content-length': String(limit + 1) }))).rejects.toMatchObject(tooLarge);
  });

  it('that is compressed is 400: kube-apiserver takes none, whatever its headers are', async () => {
    const body = () => Readable.from([gzipSync('{}')]);
    for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
      await expect(readBody(post(body(), headers))).rejects.toMatchObject({ code: 400, reason: 'BadRequest' });
    }
    expect(await readBody(post(Readable.from([Buffer.from('{}')]), { 'content-encoding': 'utf-8' }))).toHaveLength(2);
  });

  it('LIMIT-1: that stops coming is 504 after a while', async () => {
    const stalled = new Readable({ read() {} });
    stalled.push('{');
    await expect(readBody(post(stalled), { within: 20 })).rejects.toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: 'request did not complete within the allotted timeout',
    });
    expect(stalled.listenerCount('data')).toBe(0);
  });

  it('ends with its client', async () => {
    const client = new AbortController();
    const reading = readBody(post(new Readable({ read() {} }), {}, client.signal));
    client.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
    await expect(readBody(post(new Readable({ read() {} }), {}, client.signal))).rejects.toThrow('gone');
  });

  it('that breaks off is no body', async () => {
    const broken = new Readable({ read() {} });
    const reading = readBody(post(broken));
    broken.destroy(new Error('reset'));
    await expect(reading).rejects.toThrow('reset');
    const cut = new Readable({ read() {} });
    const waiting = readBody(post(cut));
    cut.destroy();
    await expect(waiting).rejects.toThrow('broke off');
  });
});

describe('on a connection', () => {
  let server: Listening;
  afterEach(() => server[Symbol.asyncDispose]());

  const serve = async (within?: number) => {
    server = await startListening(async (incoming) => {
      try {
        return jsonReply(200, (await readBody(incoming, { within })).length);
      } catch (error) {
        return errorReply(statusErrorOf(error), incoming.headers);
      }
    });
  };
  const answered = async (request: ClientRequest) => {
    request.on('error', () => {});
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { code: response.statusCode, body: JSON.parse(await text(response)) };
  };

  it.each(['HTTP/1.1', 'HTTP/2'])('LIMIT-1: the client of one that is too large reads why on %s', async (protocol) => {
    await serve();
    const large = Buffer.alloc(limit + 1);
    if (protocol === 'HTTP/1.1') {
      const request = server.h1('/', { method: 'POST', agent: false });
      request.write(large);
      expect(await answered(request)).toMatchObject({ code: 413, body: { reason: 'RequestEntityTooLarge' } });
      request.destroy();
      return;
    }
    const stream = server.h2().request({ ':path': '/', ':method': 'POST' }, { endStream: false });
    stream.on('error', () => {});
    stream.write(large);
    expect(JSON.parse(await text(stream))).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
  });

  it.each(['HTTP/1.1', 'HTTP/2'])('LIMIT-1: so does that of one that never comes on %s', async (protocol) => {
    await serve(50);
    if (protocol === 'HTTP/1.1') {
      const request = server.h1('/', { method: 'POST', agent: false, headers: { 'content-length': '10' } });
      request.flushHeaders();
      expect(await answered(request)).toMatchObject({ code: 504, body: { reason: 'Timeout' } });
      request.destroy();
      return;
    }
    const stream = server.h2().request({ ':path': '/', ':method': 'POST' }, { endStream: false });
    stream.on('error', () => {});
    expect(JSON.parse(await text(stream))).toMatchObject({ code: 504, reason: 'Timeout' });
  });
});
