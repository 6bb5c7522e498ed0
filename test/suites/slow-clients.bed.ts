/** Clients that begin and do not go on are cut off in time, and are in nobody's way (LIMIT-1, WATCH-7). */

import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Product } from '@fleet/bed/product.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ask, Front } from './front.ts';

let front: Front;
/** As it is delivered: 10 s for a handshake, 30 s for a head, 90 s for a connection without requests. */
let patient: Product;
/** The same with times that a test can wait for. */
let hasty: Product;

beforeAll(async () => {
  front = await Front.open();
  patient = await front.start();
  await patient.join(front.member1);
  hasty = await front.start({
    mutant: {
      file: 'server/src/http/listener.ts',
      from: 'const patience = { ...times, ...options.patience };',
      to: 'const patience = { ...times, handshakeTimeout: 1000, headersTimeout: 1000, keepAliveTimeout: 1000, connectionsCheckingInterval: 100, endedTimeout: 1000 };',
    },
  });
});

afterAll(() => front?.[Symbol.asyncDispose]());

const tcp = async ({ server }: Product): Promise<Socket> => {
  const socket = connectTcp(Number(new URL(server).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

const tls = async ({ server, ca, admin }: Product, protocol: string): Promise<Socket> => {
  const port = Number(new URL(server).port);
  const socket = connectTls({ host: '127.0.0.1', port, ca, ...admin, ALPNProtocols: [protocol] });
  await once(socket, 'secureConnect');
  return socket;
};

/** Each opens a connection and leaves it in the middle of something. */
const stalls: Record<string, (product: Product) => Promise<Socket>> = {
  'no byte at all': tcp,
  async 'half a TLS greeting'(product) {
    const socket = await tcp(product);
    // A record of 512 bytes, of which the first ones come.
    socket.write(Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]));
    return socket;
  },
  async 'TLS, and no request'(product) {
    return tls(product, 'http/1.1');
  },
  async 'half a head'(product) {
    const socket = await tls(product, 'http/1.1');
    socket.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n');
    return socket;
  },
  async 'a head that never ends'(product) {
    const socket = await tls(product, 'http/1.1');
    socket.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    const drip = setInterval(() => socket.write('x'), 50);
    socket.once('close', () => clearInterval(drip));
    return socket;
  },
  async 'HTTP/2, and no preface'(product) {
    return tls(product, 'h2');
  },
};

interface Stalled extends Disposable {
  closed: Promise<string>;
  isOpen(): boolean;
}

/** What came until the server closed it. */
function watched(socket: Socket): Stalled {
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  let heard = '';
  socket.on('data', (bytes) => {
    heard += String(bytes);
  });
  // A drop may come after the server has closed.
  socket.on('error', () => socket.destroy());
  socket.once('close', () => resolve(heard));
  return { closed, isOpen: () => !socket.destroyed, [Symbol.dispose]: () => socket.destroy() };
}

describe('LIMIT-1: cut off in time', () => {
  test.each(Object.keys(stalls))('%s; with more time it is still open', async (name) => {
    const [slow, control] = await Promise.all([hasty, patient].map(async (one) => watched(await stalls[name]!(one))));
    const begun = performance.now();
    using _ = control!;
    const heard = await slow!.closed;
    // A second is given; Node looks ten times a second, and the machine has other work.
    expect(performance.now() - begun).toBeLessThan(6_000);
    expect(control!.isOpen()).toBe(true);
    if (name.includes('head')) {
      expect(heard).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
      expect(JSON.parse(heard.split('\r\n\r\n')[1]!)).toMatchObject({ kind: 'Status', code: 408, reason: 'Timeout' });
    }
  });
});

describe('WATCH-7 LIMIT-2: a watch that has ended', () => {
  /** A client that lets nothing come but the head. */
  async function unread({ server, ca, admin }: Product): Promise<{ isOpen(): boolean; closed: Promise<void> }> {
    const session = connectHttp2(server, { ca, ...admin, settings: { initialWindowSize: 0 } });
    opened.push(session);
    const stream = session.request({ ':path': '/api/v1/configmaps?watch=true&timeoutSeconds=1' });
    stream.on('error', () => {});
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    stream.once('close', resolve);
    await once(stream, 'response');
    return { isOpen: () => !stream.closed, closed };
  }
  const opened: ClientHttp2Session[] = [];
  afterEach(() => {
    for (const session of opened.splice(0)) session.destroy();
  });

  test('is cut off if its client does not read; with more time it is still open', async () => {
    const [control, slow] = [await unread(patient), await unread(hasty)];
    await slow.closed;
    expect(control.isOpen()).toBe(true);
  });
});

test('LIMIT-1: a hundred of each kind keep nobody from being answered', async () => {
  using open = new DisposableStack();
  const kinds = Object.values(stalls).flatMap((stall) => Array.from({ length: 100 }, () => stall));
  const stalled: Stalled[] = [];
  const openNext = async () => {
    for (let stall = kinds.pop(); stall; stall = kinds.pop()) stalled.push(open.use(watched(await stall(patient))));
  };
  // Some at a time: those that came first are not to be over when the last one comes.
  await Promise.all(Array.from({ length: 10 }, openNext));
  const paths = ['/readyz', '/clusterspaces/member1/api/v1/namespaces/default', '/api/v1/namespaces'];
  for (const path of paths) expect((await ask(patient, path, { timeout: 5_000 })).code).toBe(200);
  // They stood in the way all the time; those without TLS may be gone by now.
  expect(stalled.filter((one) => one.isOpen()).length).toBeGreaterThanOrEqual(400);
});
