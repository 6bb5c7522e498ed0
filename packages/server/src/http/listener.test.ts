import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { ClientHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createCa, issueClient, issueServing } from '@fleet/apiserver/pki/certificates.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Listening, startListening } from '../testing/listening.ts';
import { type Handler, type Incoming, jsonReply, type PlainReply } from './message.ts';

let server: Listening;

afterEach(async () => {
  await server[Symbol.asyncDispose]();
});

const serve = async (handler: Handler) => {
  server = await startListening(handler);
};

interface Answered {
  status: number;
  headers: Record<string, unknown>;
  body: Readable;
}

/** The same request on either protocol. */
const clients: Record<
  string,
  (path: string, headers?: Record<string, string | string[]>, method?: string, body?: string) => Promise<Answered>
> = {
  async 'HTTP/1.1'(path, headers = {}, method = 'GET', body) {
    const request = server.h1(path, { headers, method });
    request.end(body && Buffer.from(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: response };
  },
  async 'HTTP/2'(path, headers = {}, method = 'GET', body) {
    const stream = server
      .h2()
      .request({ ':path': path, ':method': method, ...headers }, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    const [response] = (await once(stream, 'response')) as [Record<string, unknown>];
    return { status: Number(response[':status']), headers: response, body: stream };
  },
};

const plain = (body: PlainReply['body'], headers: PlainReply['headers'] = {}): PlainReply => ({
  is: 'plain',
  status: 200,
  headers,
  body,
});

describe.each(Object.entries(clients))('the listener on %s', (protocol, ask) => {
  it('gives the handler the request as it came', async () => {
    let seen: Incoming | undefined;
    let sent = '';
    await serve(async (incoming) => {
      seen = incoming;
      sent = incoming.body ? await text(incoming.body) : '';
      return jsonReply(201, { ok: true }, { warning: ['299 - "a"', '299 - "b"'] });
    });
    const { status, headers, body } = await ask(
      '/api/v1/pods?a=%2f&b=%zz',
      { 'impersonate-group': ['a, b', 'c'], 'x-utf8': Buffer.from('jörg').toString('latin1') },
      'POST',
      '{}',
    );
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/api/v1/pods?a=%2f&b=%zz',
      upgrade: false,
      certificate: undefined,
    });
    expect(seen?.headers['impersonate-group']).toEqual(['a, b', 'c']);
    expect(Buffer.from(String(seen?.headers['x-utf8']), 'latin1').toString()).toBe('jörg');
    expect(sent).toBe('{}');
    expect(status).toBe(201);
    expect(headers['warning']).toBe('299 - "a", 299 - "b"');
    expect(JSON.parse(await text(body))).toEqual({ ok: true });
  });

  it('a header of any name is one, and its value is the client’s', async () => {
    await serve(async ({ headers }) => jsonReply(200, Object.entries(headers)));
    const answer = await ask('/', { constructor: 'a', valueof: 'b' });
    const seen = JSON.parse(await text(answer.body)) as [string, unknown][];
    expect(seen.filter(([name]) => name === 'constructor' || name === 'valueof').sort()).toEqual([
      ['constructor', 'a'],
      ['valueof', 'b'],
    ]);
  });

  it('a request’s id is the client’s own if it makes sense, and is passed on', async () => {
    await serve(async ({ id, headers }) => jsonReply(200, [id, headers['audit-id']]));
    const idsFor = async (headers: Record<string, string>) =>
      JSON.parse(await text((await ask('/', headers)).body)) as [string, string];
    expect(await idsFor({ 'audit-id': 'mine-1' })).toEqual(['mine-1', 'mine-1']);
    for (const headers of [{}, { 'audit-id': 'x y' }, { 'audit-id': 'x'.repeat(65) }] as Record<string, string>[]) {
      const [id, sent] = await idsFor(headers);
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(sent).toBe(id);
    }
  });

  it('a request without a body has none', async () => {
    const bodies: unknown[] = [];
    await serve(async (incoming) => {
      bodies.push(incoming.body);
      return jsonReply(200, {});
    });
    await text((await ask('/')).body);
    expect(bodies).toEqual([undefined]);
  });

  it('the head goes out before the first byte of a stream', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await serve(async () =>
      plain(
        (async function* () {
          await promise;
          yield Buffer.from('event');
        })(),
      ),
    );
    const { status, body } = await ask('/watch');
    expect(status).toBe(200);
    resolve();
    expect(await text(body)).toBe('event');
  });

  it('LIST-1: a body that breaks is a broken response, not a short one', async () => {
    await serve(async () =>
      plain(
        (async function* () {
          yield Buffer.from('{"items":[1,');
          yield Buffer.alloc(300_000, 'x');
          throw new Error('member broke off');
        })(),
      ),
    );
    const { body } = await ask('/list');
    await expect(text(body)).rejects.toThrow();
    expect((body as ClientHttp2Stream | IncomingMessage).readableEnded).toBe(false);
    await vi.waitFor(() => expect(server.errors).toHaveLength(1));
  });

  it('a broken body breaks its own request only', async () => {
    await serve(async ({ url }) => {
      if (url === '/good') return jsonReply(200, 'good');
      return plain(
        (async function* () {
          yield Buffer.from('x');
          throw new Error('broken');
        })(),
      );
    });
    await expect(text((await ask('/bad')).body)).rejects.toThrow();
    expect(await text((await ask('/good')).body)).toBe('"good"\n');
  });

  it('LIMIT-2: a client that does not read holds up the body', async () => {
    let made = 0;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    await serve(async () =>
      plain(
        (async function* () {
          try {
            for (; made < 2000; made++) yield Buffer.alloc(65_536);
          } finally {
            resolve();
          }
        })(),
      ),
    );
    const { body } = await ask('/big');
    body.pause();
    let before = -1;
    await vi.waitFor(
      () => {
        const now = made;
        const still = now === before;
        before = now;
        if (!still) throw new Error('still being written');
      },
      { interval: 100, timeout: 4000 },
    );
    expect(made).toBeLessThan(1000);
    body.destroy();
    // The client is gone: the body is ended, not left hanging.
    await ended;
  });

  it('a client that leaves aborts the signal', async () => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    await serve((incoming) => {
      resolve(incoming.signal);
      return new Promise((_, reject) =>
        incoming.signal.addEventListener('abort', () => reject(incoming.signal.reason)),
      );
    });
    if (protocol === 'HTTP/2') {
      const stream = server.h2().request({ ':path': '/' });
      stream.on('error', () => {});
      const signal = await promise;
      stream.close(8);
      await vi.waitFor(() => expect(signal.aborted).toBe(true));
    } else {
      const request = server.h1('/');
      request.on('error', () => {});
      request.end();
      const signal = await promise;
      request.destroy();
      await vi.waitFor(() => expect(signal.aborted).toBe(true));
    }
  });

  it('HEAD and 304 have no body, whatever the handler gives', async () => {
    await serve(async ({ url }) => {
      if (url === '/304') return { is: 'plain', status: 304, headers: { etag: '"x"' }, body: undefined };
      if (url === '/stream')
        return plain(
          (async function* () {
            yield Buffer.from('body');
          })(),
        );
      return jsonReply(200, 'body');
    });
    for (const [url, method] of [
      ['/', 'HEAD'],
      ['/stream', 'HEAD'],
      ['/304', 'GET'],
    ] as const) {
      expect(await text((await ask(url, {}, method)).body)).toBe('');
    }
    expect(server.errors).toEqual([]);
  });
});

describe('client certificates', () => {
  const certificateSeen = async (pair?: { cert: string; key: string }): Promise<string | undefined> => {
    const request = server.h1('/', { agent: false, ...(pair ?? {}) });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return JSON.parse(await text(response)) ?? undefined;
  };
  const handler: Handler = async ({ certificate, untrustedCertificate }) =>
    jsonReply(200, untrustedCertificate ? 'untrusted' : (certificate?.subject ?? null));

  it('AUTHN-1: one of a trusted CA is shown, none is none', async () => {
    await serve(handler);
    expect(await certificateSeen(await issueClient(server.ca, 'alice', []))).toBe('CN=alice');
    expect(await certificateSeen()).toBeUndefined();
  });

  it('AUTHN-1: neither another CA’s nor a server’s certificate is an identity', async () => {
    await serve(handler);
    const other = await createCa('test-ca');
    expect(await certificateSeen(await issueClient(other, 'mallory', []))).toBe('untrusted');
    expect(await certificateSeen(await issueServing(server.ca, ['localhost']))).toBe('untrusted');
  });

  it('is read once a connection, and not shared between connections', async () => {
    const seen: Incoming['certificate'][] = [];
    await serve(async ({ certificate }) => {
      seen.push(certificate);
      return plain(undefined);
    });
    for (const name of ['alice', 'bob']) {
      const session = server.h2(await issueClient(server.ca, name, []));
      for (let i = 0; i < 2; i++) await text(session.request({ ':path': '/' }));
    }
    expect(seen.map((one) => one?.subject)).toEqual(['CN=alice', 'CN=alice', 'CN=bob', 'CN=bob']);
    expect(seen[1]).toBe(seen[0]);
  });
});

describe('closing', () => {
  it('LIMIT-1: idle connections do not hold it up, requests under way may finish', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await serve(async ({ url }) => {
      if (url === '/slow') await promise;
      return jsonReply(200, url);
    });
    await text((await clients['HTTP/1.1']!('/idle')).body);
    await text((await clients['HTTP/2']!('/idle')).body);
    const request = server.h1('/slow');
    request.end();
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    await vi.waitFor(() => expect(request.socket?.bytesWritten).toBeGreaterThan(0));
    const closed = server.listener.close(60_000);
    resolve();
    const [response] = await answered;
    expect(await text(response)).toBe('"/slow"\n');
    await closed;
  });

  it('LIMIT-1: what does not finish in time is aborted', async () => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    await serve(({ signal }) => {
      resolve(signal);
      return new Promise(() => {});
    });
    const request = server.h1('/stuck');
    request.on('error', () => {});
    request.end();
    const signal = await promise;
    await server.listener.close(20);
    expect(signal.aborted).toBe(true);
  });
});

describe('listening', () => {
  it('ERR-4: a port that is taken is one clear line', async () => {
    await serve(async () => jsonReply(200, {}));
    const { port } = server.listener.address;
    await expect(startListening(async () => jsonReply(200, {}), { port })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}: the port is taken`,
    );
  });
});

describe('AUTHN-3: a new certificate', () => {
  it('is shown to new connections; open ones and streams go on', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    await serve(async ({ url }) =>
      url === '/watch'
        ? plain(
            (async function* () {
              yield Buffer.from('before ');
              await ended;
              yield Buffer.from('after');
            })(),
          )
        : jsonReply(200, url),
    );
    const session = server.h2();
    const stream = session.request({ ':path': '/watch' });
    await once(stream, 'response');
    const otherCa = await createCa('other-ca');
    const fresh = await issueServing(otherCa, ['localhost', '127.0.0.1']);
    server.listener.present({ ...fresh, clientCas: [otherCa.cert] });
    const alice = await issueClient(otherCa, 'alice', []);
    const request = server.h1('/new', { agent: false, ca: otherCa.cert, ...alice });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(await text(response)).toBe('"/new"\n');
    const again = session.request({ ':path': '/again' });
    expect(await text(again)).toBe('"/again"\n');
    end();
    expect(await text(stream)).toBe('before after');
    const old = server.h1('/old', { agent: false });
    const [error] = (await once(old, 'error')) as [Error];
    expect(error.message).toMatch(/certificate/);
  });
});
