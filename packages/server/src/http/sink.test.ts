import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { startListening } from '../testing/listening.ts';
import type { PlainReply, PushedBody, Sink } from './message.ts';

const chunks = Array.from({ length: 50 }, (_, index) => Buffer.from(`${index} ${'x'.repeat(index * 97)}\n`));
const whole = Buffer.concat(chunks).toString();

/** Pushes where it can be, and returns which transport was used. */
class Pushed implements PushedBody {
  way: 'pushed' | 'read' | undefined;
  waits = 0;

  async pushInto(sink: Sink): Promise<void> {
    this.way = 'pushed';
    for (const chunk of chunks) {
      if (sink.write(chunk)) continue;
      this.waits++;
      const { promise, resolve } = Promise.withResolvers<void>();
      using _ = sink.onDrain(resolve);
      expect(sink.unsent).toBeGreaterThan(0);
      await promise;
    }
  }

  stop(): void {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    this.way = 'read';
    yield* chunks;
  }
}

const replyWith = (body: PlainReply['body']): PlainReply => ({ is: 'plain', status: 200, headers: {}, body });

describe('a pushed body', () => {
  it('arrives whole over HTTP/1.1 and HTTP/2, one answer after the other on a connection', async () => {
    const bodies: Pushed[] = [];
    await using listening = await startListening(async () => replyWith(bodies[bodies.push(new Pushed()) - 1]));
    const session = listening.h2();
    for (let turn = 0; turn < 3; turn++) {
      const asking = listening.h1('/').end();
      const [response] = await once(asking, 'response');
      expect(await text(response)).toBe(whole);
      expect(await text(session.request({ ':path': '/' }))).toBe(whole);
    }
    expect(bodies.map(({ way }) => way)).toEqual(Array(6).fill('pushed'));
    expect(bodies.some(({ waits }) => waits > 0)).toBe(true);
    expect(listening.errors).toEqual([]);
  });

  it('is read instead while an answer to an earlier request has the connection', async () => {
    const first = Promise.withResolvers<Buffer>();
    const second = new Pushed();
    async function* later() {
      yield await first.promise;
    }
    await using listening = await startListening(async ({ url }) => replyWith(url === '/first' ? later() : second));
    const { port } = listening.listener.address;
    const socket = connect({ host: '127.0.0.1', port, ca: listening.ca.cert });
    socket.write('GET /first HTTP/1.1\r\nhost: x\r\n\r\nGET /second HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    const answers = text(socket);
    await expect.poll(() => second.way).toBe('read');
    first.resolve(Buffer.from('the first'));
    const read = await answers;
    expect(read.indexOf('the first')).toBeGreaterThan(0);
    expect(read.indexOf('0 \n')).toBeGreaterThan(read.indexOf('the first'));
  });
});
