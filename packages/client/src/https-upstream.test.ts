import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { AnswerMemory } from '@fleet/kube/answer-memory.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HttpsUpstream } from './https-upstream.ts';
import { type ApiServer, startApiServer } from './testing/api-server.ts';
import { UnreachableError, type UpstreamCall } from './upstream.ts';

let server: ApiServer;
let upstream: HttpsUpstream;

async function start(answer: Parameters<typeof startApiServer>[0], path = ''): Promise<void> {
  server = await startApiServer(answer);
  upstream = new HttpsUpstream({ url: server.url + path, tls: {}, authorization: async () => 'Bearer t' });
}

afterEach(async () => {
  await server[Symbol.asyncDispose]();
});

const never = new AbortController().signal;
const get = (path: string, more: Partial<UpstreamCall> = {}): UpstreamCall => ({
  method: 'GET',
  path,
  headers: {},
  signal: never,
  ...more,
});

describe('calls', () => {
  it('carry path, query and headers byte for byte, below the endpoint’s own path, with its credential', async () => {
    await start((_, response) => response.end('ok'), '/clusterspaces/m1/');
    const reply = await upstream.call(
      get('/api/v1/pods?a=%2f&b=%zz', { headers: { 'impersonate-group': ['a, b', 'c'], authorization: 'mine' } }),
    );
    expect(String(await reply.body.bytes())).toBe('ok');
    const [request] = server.requests;
    expect(request?.url).toBe('/clusterspaces/m1/api/v1/pods?a=%2f&b=%zz');
    expect(request?.headers.authorization).toBe('Bearer t');
    const groups = request?.rawHeaders.filter(
      (_, index, raw) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === 'impersonate-group',
    );
    expect(groups).toEqual(['a, b', 'c']);
  });

  it('AGENT-5: go over what is dialled for them, if the endpoint has its own dial', async () => {
    await start((_, response) => response.end('ok'));
    const { port } = new URL(server.url);
    let dialled = 0;
    const dial = async () => {
      dialled++;
      return connect(Number(port), '127.0.0.1');
    };
    await using tunnelled = new HttpsUpstream({ url: 'http://nowhere.invalid', tls: {}, dial });
    expect(String(await (await tunnelled.call(get('/'))).body.bytes())).toBe('ok');
    expect(server.requests[0]?.headers.host).toBe('nowhere.invalid');
    expect(dialled).toBe(1);
  });

  it('names in UTF-8 arrive byte for byte', async () => {
    await start((_, response) => response.end());
    await upstream.call(get('/', { headers: { 'impersonate-user': Buffer.from('jörg').toString('latin1') } }));
    expect(Buffer.from(String(server.requests[0]?.headers['impersonate-user']), 'latin1').toString()).toBe('jörg');
  });

  it('send a body as it comes', async () => {
    await start((request, response) => request.pipe(response));
    const reply = await upstream.call({
      ...get('/'),
      method: 'POST',
      body: Readable.from([Buffer.from('a'), Buffer.from('b')]),
    });
    expect(String(await reply.body.bytes())).toBe('ab');
  });

  it('CLU-5: connections are pooled and used again', async () => {
    await start((_, response) => response.end('ok'));
    for (let i = 0; i < 20; i++) await (await upstream.call(get('/'))).body.bytes();
    expect(server.requests).toHaveLength(20);
    // A connection is free again a moment after its body is read, so a second one may be open.
    expect(server.sockets.size).toBeLessThanOrEqual(2);
  });

  it('errors of the server are replies', async () => {
    await start((_, response) => response.writeHead(503, { 'retry-after': '1' }).end('{}'));
    expect(await upstream.call(get('/'))).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  });

  it('SEC-1: a redirect to the server itself becomes a path below its own, any other is unchanged', async () => {
    await start((request, response) => {
      const location = String(request.headers['x-to']).replace('{host}', String(request.headers.host));
      response.writeHead(302, { location }).end();
    }, '/k8s/m1');
    const locationFor = async (to: string, upgrade = false) => {
      const call = get('/x', { headers: { 'x-to': to, ...(upgrade && { connection: 'Upgrade', upgrade: 'x' }) } });
      if (!upgrade) return (await upstream.call(call)).headers['location'];
      const reply = await upstream.upgrade(call);
      return reply.is === 'refused' && reply.reply.headers['location'];
    };
    expect(await locationFor('http://{host}/api/a%2Fb?c#d')).toBe('/api/a%2Fb?c#d');
    expect(await locationFor('https://{host}/k8s/m1/api')).toBe('/api');
    expect(await locationFor('/k8s/m1/api')).toBe('/api');
    expect(await locationFor('http://{host}/k8s/m1/api', true)).toBe('/api');
    for (const other of ['../x', '/k8s/m12/x', '//other/x', 'https://other/k8s/m1/x']) {
      expect(await locationFor(other)).toBe(other);
    }
  });

  it('SEC-2: no more is held than one object of that server may have, refused upgrades too', async () => {
    await start((_, response) => response.end('x'.repeat(2_000)));
    const limited = new HttpsUpstream({ url: server.url, tls: {}, memory: new AnswerMemory(1_000) });
    const { body } = await limited.call(get('/'));
    await expect(body.bytes()).rejects.toThrow('more than 1000 bytes');
    const refused = await limited.upgrade(get('/', { headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' } }));
    if (refused.is !== 'refused') throw new Error('changed protocols');
    await expect(refused.reply.body.bytes()).rejects.toThrow('more than 1000 bytes');
    await limited[Symbol.asyncDispose]();
  });

  it('LIMIT-2: a reader that does not read pauses the server', async () => {
    let written = 0;
    await start((_, response) => {
      const write = () => {
        while (written < 64 * 1024 * 1024 && response.write(Buffer.alloc(65_536))) written += 65_536;
      };
      response.on('drain', write);
      write();
    });
    const { body } = await upstream.call(get('/'));
    let before = -1;
    await vi.waitFor(
      () => {
        const now = written;
        const still = now === before;
        before = now;
        if (!still) throw new Error('still writing');
      },
      { interval: 100, timeout: 4000 },
    );
    expect(written).toBeLessThan(32 * 1024 * 1024);
    body.cancel();
    await vi.waitFor(() => expect(server.sockets.size).toBe(0));
  });
});

describe('aborting', () => {
  it('before the head rejects with the reason and closes the connection', async () => {
    await start(() => {});
    const abort = new AbortController();
    const call = upstream.call(get('/', { signal: abort.signal }));
    call.catch(() => {});
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    abort.abort(new Error('the client is gone'));
    await expect(call).rejects.toThrow('the client is gone');
    await vi.waitFor(() => expect(server.sockets.size).toBe(0));
  });

  it('after the head breaks the body', async () => {
    await start((_, response) => response.write('begun'));
    const abort = new AbortController();
    const { body } = await upstream.call(get('/', { signal: abort.signal }));
    const reading = body.bytes();
    reading.catch(() => {});
    abort.abort(new Error('the client is gone'));
    await expect(reading).rejects.toThrow();
    await vi.waitFor(() => expect(server.sockets.size).toBe(0));
  });

  it('before anything was sent makes no request', async () => {
    await start((_, response) => response.end());
    await expect(upstream.call(get('/', { signal: AbortSignal.abort(new Error('gone')) }))).rejects.toThrow('gone');
    expect(server.requests).toEqual([]);
  });
});

describe('NAME-8: no answer', () => {
  const sent = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(UnreachableError);
    return (error as UnreachableError).sent;
  };

  it('a port where nobody listens: not sent', async () => {
    await start((_, response) => response.end());
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as { port: number };
    free.close();
    await once(free, 'close');
    const nobody = new HttpsUpstream({ url: `http://127.0.0.1:${port}`, tls: {} });
    expect(await sent(nobody.call(get('/')))).toBe(false);
    expect(await sent(nobody.upgrade(get('/')))).toBe(false);
  });

  it('a write whose connection breaks may have arrived, and is not repeated', async () => {
    await start((request) => request.socket.destroy());
    expect(await sent(upstream.call({ ...get('/'), method: 'POST', body: Buffer.from('{}') }))).toBe(true);
    expect(server.requests).toHaveLength(1);
  });

  it('a read on a connection that was closed under it is read again', async () => {
    let calls = 0;
    await start((request, response) => {
      calls += 1;
      if (calls === 2) request.socket.destroy();
      else response.end('ok');
    });
    await (await upstream.call(get('/'))).body.bytes();
    expect(String(await (await upstream.call(get('/'))).body.bytes())).toBe('ok');
    expect(calls).toBe(3);
  });

  it('a server that breaks every connection gets at most two requests', async () => {
    await start((request) => request.socket.destroy());
    expect(await sent(upstream.call(get('/')))).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  it('LIST-1: a body that is cut is an error, with a length and with chunks', async () => {
    await start((request, response) => {
      if (request.url === '/length') response.writeHead(200, { 'content-length': '100' });
      response.write('{"items":[', () => response.socket?.destroy());
    });
    for (const path of ['/length', '/chunks']) {
      const { body } = await upstream.call(get(path));
      await expect(body.bytes()).rejects.toThrow();
    }
  });
});

describe('URL-13: upgrades', () => {
  const asked = get('/exec', { headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' } });

  it('give the new stream and what came with it', async () => {
    await start(() => {});
    server.onUpgrade((_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\nearly');
      socket.on('data', (chunk) => socket.write(`got ${chunk}`));
    });
    const reply = await upstream.upgrade(asked);
    if (reply.is !== 'upgraded') throw new Error('refused');
    expect(reply).toMatchObject({ status: 101, headers: { upgrade: 'SPDY/3.1' } });
    const first = reply.head.length > 0 ? reply.head : ((await once(reply.stream, 'data')) as [Buffer])[0];
    expect(String(first)).toBe('early');
    reply.stream.write('input');
    expect(String(((await once(reply.stream, 'data')) as [Buffer])[0])).toBe('got input');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer t');
    reply.stream.destroy();
  });

  it('that are refused give the reply', async () => {
    await start((_, response) => response.writeHead(403, { 'content-type': 'application/json' }).end('{"code":403}'));
    const reply = await upstream.upgrade(asked);
    expect(reply).toMatchObject({ is: 'refused', reply: { status: 403 } });
    if (reply.is === 'refused') expect(String(await reply.reply.body.bytes())).toBe('{"code":403}');
  });

  it('that are cut in their refusal fail, too', async () => {
    await start((_, response) => {
      response.writeHead(500, { 'content-length': '100' });
      response.write('half', () => response.socket?.destroy());
    });
    const reply = await upstream.upgrade(asked);
    if (reply.is === 'refused') await expect(reply.reply.body.bytes()).rejects.toThrow();
    else throw new Error('upgraded');
  });

  it('whose client leaves are aborted', async () => {
    await start(() => {});
    server.onUpgrade((_, socket) => socket.on('end', () => socket.end()).resume());
    const abort = new AbortController();
    const waiting = upstream.upgrade({ ...asked, signal: abort.signal });
    waiting.catch(() => {});
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    abort.abort(new Error('the client is gone'));
    await expect(waiting).rejects.toThrow('the client is gone');
    await vi.waitFor(() => expect(server.sockets.size).toBe(0));
  });
});

describe('CLU-4: disposing', () => {
  it('lets requests in flight finish', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await start((_, response) => {
      response.write('a');
      promise.then(() => response.end('b'));
    });
    const { body } = await upstream.call(get('/watch'));
    const closed = upstream[Symbol.asyncDispose]();
    resolve();
    expect(String(await body.bytes())).toBe('ab');
    await closed;
  });
});
