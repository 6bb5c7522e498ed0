import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, startListening } from '../testing/listening.ts';
import type { Incoming, Reply } from './message.ts';

const chunk = Buffer.alloc(256 * 1024, 'x');
/** More than the kernel holds for one who does not read. */
const count = 128;

const plain = { is: 'plain', status: 200, headers: {} } as const;

async function* large(chunks = count) {
  for (let turn = 0; turn < chunks; turn++) yield chunk;
}

const upgraded = (over: AbortSignal): Reply => {
  const stream = new PassThrough();
  for (let turn = 0; turn < count; turn++) stream.write(chunk);
  return { is: 'upgraded', status: 101, statusText: 'Switching Protocols', headers: {}, stream, head: chunk, over };
};

let server: Listening;
let ending: AbortController;
let asked: PromiseWithResolvers<Incoming>;

beforeEach(async () => {
  ending = new AbortController();
  asked = Promise.withResolvers();
  const { signal: over } = ending;
  server = await startListening(
    async (incoming): Promise<Reply> => {
      if (incoming.url === '/small') return { ...plain, body: Buffer.from('small') };
      if (incoming.url === '/short') return { ...plain, body: large(1), over: AbortSignal.abort() };
      asked.resolve(incoming);
      if (incoming.url === '/goes-on') return { ...plain, body: large(), over: new AbortController().signal };
      return incoming.upgrade ? upgraded(over) : { ...plain, body: large(), over };
    },
    { patience: { endedTimeout: 200 } },
  );
});

afterEach(() => server[Symbol.asyncDispose]());

/** A connection that asks and does not read. */
function stalled(head: string, path = '/large'): Disposable {
  const { port } = server.listener.address;
  const socket = connect({ host: '127.0.0.1', port, ca: server.ca.cert, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${head}\r\n`);
  return { [Symbol.dispose]: () => socket.destroy() };
}

describe('WATCH-7 LIMIT-2: who does not read the rest of a stream that has ended is cut off', () => {
  it.each([
    ['HTTP/1.1', ''],
    ['an upgraded connection', 'connection: upgrade\r\nupgrade: websocket\r\n'],
  ])('%s', async (_, head) => {
    using _stalled = stalled(head);
    const { signal } = await asked.promise;
    expect(signal.aborted).toBe(false);
    ending.abort();
    await once(signal, 'abort');
  });

  it('HTTP/2: the stream alone, its connection goes on', async () => {
    const session = server.h2();
    const stream = session.request({ ':path': '/large' });
    stream.on('error', () => {});
    await once(stream, 'response');
    const { signal } = await asked.promise;
    ending.abort();
    await once(signal, 'abort');
    expect(await text(session.request({ ':path': '/small' }))).toBe('small');
    expect(session.closed).toBe(false);
  });

  it('but none that goes on, nor a connection on which all was read', async () => {
    const get = async (path: string) => {
      const [response] = await once(server.h1(path).end(), 'response');
      const port = response.socket.localPort;
      return { body: await text(response), port };
    };
    const { body, port } = await get('/short');
    expect(body.length).toBe(chunk.length);
    using _going = stalled('', '/goes-on');
    const goesOn = await asked.promise;
    asked = Promise.withResolvers();
    using _ended = stalled('');
    const { signal } = await asked.promise;
    ending.abort();
    await once(signal, 'abort');
    expect(goesOn.signal.aborted).toBe(false);
    expect(await get('/small')).toEqual({ body: 'small', port });
    expect(server.errors).toEqual([]);
  });
});
