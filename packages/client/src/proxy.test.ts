import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpsUpstream } from './https-upstream.ts';
import { isProxyUrl, type ProxySettings } from './proxy.ts';
import { type ApiServer, startApiServer } from './testing/api-server.ts';
import { startConnectProxy, startSocksProxy, type TestProxy } from './testing/proxies.ts';
import { UnreachableError } from './upstream.ts';

let server: ApiServer;
let proxy: TestProxy;

afterEach(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const never = new AbortController().signal;
const get = { method: 'GET', path: '/version', headers: {}, signal: never };

async function through(settings: (address: string) => ProxySettings, start: Promise<TestProxy>) {
  proxy = await start;
  server = await startApiServer((_, response) => response.end('hello'));
  server.onUpgrade((_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n');
    socket.pipe(socket);
  });
  return new HttpsUpstream({ url: server.url, tls: {}, proxy: settings(proxy.address) });
}

const target = () => new URL(server.url).host;

/** A call, another on the same connection, and an upgrade with a connection of its own. */
async function works(upstream: HttpsUpstream): Promise<void> {
  for (let i = 0; i < 2; i++) {
    expect(String(await (await upstream.call(get)).body.bytes())).toBe('hello');
    // The pool gets a connection back a moment after the response has ended.
    await delay(20);
  }
  const upgraded = await upstream.upgrade({ ...get, headers: { connection: 'Upgrade', upgrade: 'test' } });
  if (upgraded.is !== 'upgraded') throw new Error('refused');
  upgraded.stream.write('echo');
  expect(String((await upgraded.stream[Symbol.asyncIterator]().next()).value)).toBe('echo');
  upgraded.stream.destroy();
}

describe('CLU-5: proxies', () => {
  it('http, with headers of its own', async () => {
    const headers = { 'x-tenant': 'a,b' };
    const upstream = await through((address) => ({ url: `http://${address}`, headers }), startConnectProxy());
    await works(upstream);
    expect(proxy.targets).toEqual([target(), target()]);
    expect(proxy.headers[0]).toMatchObject({ 'x-tenant': 'a,b', host: target() });
    expect(server.requests[0]?.headers['x-tenant']).toBeUndefined();
  });

  it('http with user and password', async () => {
    const expected = `Basic ${Buffer.from('alice:p@ss').toString('base64')}`;
    await works(await through((address) => ({ url: `http://alice:p%40ss@${address}` }), startConnectProxy(expected)));
  });

  it('socks5', async () => {
    await works(await through((address) => ({ url: `socks5://${address}` }), startSocksProxy()));
    expect(proxy.targets).toEqual([target(), target()]);
  });

  it('socks5 with user and password; the wrong one is refused', async () => {
    await works(await through((address) => ({ url: `socks5://alice:secret@${address}` }), startSocksProxy(true)));
    expect(proxy.users[0]).toBe('alice:secret');
    for (const user of ['alice:wrong@', '']) {
      const refused = new HttpsUpstream({
        url: server.url,
        tls: {},
        proxy: { url: `socks5://${user}${proxy.address}` },
      });
      await expect(refused.call(get)).rejects.toMatchObject({ sent: false, cause: { code: 'ERR_PROXY' } });
    }
  });

  it('one that refuses, or is unreachable, surely did not forward the request', async () => {
    const upstream = await through((address) => ({ url: `http://${address}` }), startConnectProxy('Basic x'));
    const failure = { sent: false, cause: { code: 'ERR_PROXY' } };
    await expect(upstream.call(get)).rejects.toMatchObject(failure);
    await expect(upstream.upgrade(get)).rejects.toMatchObject(failure);
    await proxy[Symbol.asyncDispose]();
    await expect(upstream.call(get)).rejects.toBeInstanceOf(UnreachableError);
    expect(server.requests).toEqual([]);
  });

  it('one that hangs is aborted with the call', async () => {
    server = await startApiServer((_, response) => response.end());
    await using silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    for (const scheme of ['http', 'socks5']) {
      const { port } = silent.address() as { port: number };
      const upstream = new HttpsUpstream({ url: server.url, tls: {}, proxy: { url: `${scheme}://127.0.0.1:${port}` } });
      const signal = AbortSignal.timeout(100);
      await expect(upstream.upgrade({ ...get, signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    }
  });
});

describe('CLU-5: what is a proxy’s URL', () => {
  it.each(['http://h:1', 'https://h', 'socks5://a:b@h', 'socks5h://h', 'http://alice:50%25off@h'])('%s is', (url) => {
    expect(isProxyUrl(url)).toBe(true);
  });

  it.each(['h:1', 'ftp://h', 'http://%ff@127.0.0.1:2', 'http://alice:50%off@h', 'socks5://%@h'])('%s is not', (url) => {
    expect(isProxyUrl(url)).toBe(false);
  });
});

describe('CLU-6: the end of a member', () => {
  it('cuts off what is under way, upgraded streams too', async () => {
    const end = new AbortController();
    await through(() => ({ url: 'http://unused' }), startConnectProxy());
    await using streaming = await startApiServer((_, response) => void response.write('first'));
    streaming.onUpgrade((_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n');
    });
    const upstream = new HttpsUpstream({ url: streaming.url, tls: {} }, end.signal);
    const watch = await upstream.call(get);
    const upgraded = await upstream.upgrade({ ...get, headers: { connection: 'Upgrade', upgrade: 'test' } });
    if (upgraded.is !== 'upgraded') throw new Error('refused');
    const closed = new Promise((resolve) => upgraded.stream.once('close', resolve));
    // As after a rotation: closed for new requests, while the old ones go on.
    const disposed = upstream[Symbol.asyncDispose]();
    end.abort(new Error('the cluster was removed'));
    await expect(watch.body.bytes()).rejects.toThrow();
    await closed;
    await disposed.catch(() => {});
    await expect(upstream.call(get)).rejects.toThrow();
  });
});
