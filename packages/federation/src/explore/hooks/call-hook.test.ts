import type { ServerResponse } from 'node:http';
import { bodyOf } from '@fleet/client/reply-body.ts';
import { ManualClock, settled } from '@fleet/client/testing/manual-clock.ts';
import type { Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { describe, expect, it } from 'vitest';
import { createHookCalls, type HookCallOptions } from './call-hook.ts';
import { HookError } from './hook-error.ts';
import type { Hook, HookClient } from './hook-model.ts';
import { startHookServer } from './testing/hook-server.ts';
import { hookOf } from './testing/sample-hooks.ts';

const noService = () => undefined;
const calls = (more: Partial<HookCallOptions> = {}) => createHookCalls({ resolveService: noService, ...more });
const at = (url: string, ca?: string, more: Partial<Hook> = {}): Hook =>
  hookOf({ client: { at: 'url', url, ...(ca ? { ca } : {}) }, timeoutSeconds: 5, ...more });
const body = Buffer.from('{"a":1}');

async function failureOf(call: Promise<unknown>): Promise<HookError> {
  const error: unknown = await call.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HookError);
  return error as HookError;
}

describe('createHookCalls', () => {
  it('EXP-4: is a POST of JSON over HTTPS, with the timeout as API servers send it', async () => {
    await using server = await startHookServer((_, response) => response.end('{"b":2}'));
    await using hooks = calls();
    const answer = await hooks.call(at(`${server.url}/explore`, server.ca), 'status', body);
    expect(String(answer)).toBe('{"b":2}');
    const [request] = server.requests;
    expect(request).toMatchObject({ path: '/explore?timeout=5s', body: '{"a":1}' });
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'accept-encoding': 'identity' });
  });

  it('EXP-5: connections are kept and shared by hooks of the same server', async () => {
    await using server = await startHookServer((_, response) => response.end('{}'));
    await using hooks = calls();
    for (const path of ['/a', '/b', '/a', '/b', '/a', '/b'])
      await hooks.call(at(server.url + path, server.ca, { name: path }), 'status', body);
    expect(server.requests).toHaveLength(6);
    // The next call may come before undici has the connection back.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it('EXP-5: hooks with other certificates share nothing', async () => {
    await using server = await startHookServer((_, response) => response.end('{}'));
    await using other = await startHookServer(() => {}, ['127.0.0.1']);
    await using hooks = calls();
    await hooks.call(at(server.url, server.ca), 'status', body);
    const failure = await failureOf(hooks.call(at(server.url, other.ca), 'status', body));
    expect(failure).toMatchObject({
      failure: 'unreachable',
      reason: expect.stringContaining('certificate is not trusted'),
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['without its CA', undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['that is no PEM', 'junk', 'CERT'],
  ])('EXP-5: a caBundle %s trusts nobody', async (_, ca, code) => {
    await using server = await startHookServer((_, response) => response.end('{}'));
    await using hooks = calls();
    const failure = await failureOf(hooks.call(at(server.url, ca), 'status', body));
    expect(failure.reason).toContain(code);
    expect(server.requests).toEqual([]);
  });

  it('EXP-5: the name in the certificate is checked', async () => {
    await using server = await startHookServer((_, response) => response.end('{}'), ['other.example.com']);
    await using hooks = calls();
    const failure = await failureOf(hooks.call(at(server.url, server.ca), 'status', body));
    expect(failure.reason).toBe('its certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)');
  });

  it('EXP-5: a service is reached where it is resolved to, and its certificate is for its own name', async () => {
    await using server = await startHookServer((_, response) => response.end('{}'), ['foo.hooks.svc']);
    const asked: unknown[][] = [];
    await using hooks = calls({
      resolveService(...service) {
        asked.push(service);
        return `${server.url}${service[3]}`;
      },
    });
    const service: HookClient = {
      at: 'service',
      namespace: 'hooks',
      name: 'foo',
      port: 443,
      path: '/x',
      ca: server.ca,
    };
    await hooks.call(hookOf({ client: service }), 'status', body);
    expect(asked).toEqual([['hooks', 'foo', 443, '/x']]);
    expect(server.requests[0]).toMatchObject({ path: '/x?timeout=10s', headers: { host: 'foo.hooks.svc' } });
    const other = await failureOf(hooks.call(hookOf({ client: { ...service, name: 'bar' } }), 'status', body));
    expect(other.reason).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  const service: HookClient = { at: 'service', namespace: 'hooks', name: 'foo', port: 443, path: '' };
  it.each<[string, HookClient | undefined, HookCallOptions['resolveService']]>([
    ['a service that is not there', service, noService],
    ['a service that is somewhere without TLS', service, () => 'http://10.0.0.1/'],
    ['a service in a member that cannot be reached', service, () => ({ cluster: 'member1', upstream: undefined })],
    ['a service that cannot be looked up', service, () => Promise.reject(new Error('secret'))],
    ['a url without TLS', { at: 'url', url: 'http://127.0.0.1:1/' }, noService],
    ['no clientConfig', undefined, noService],
  ])('EXP-5: %s is an error of the configuration', async (_, client, resolveService) => {
    await using hooks = calls({ resolveService });
    const failure = await failureOf(hooks.call(hookOf({ client }), 'status', body));
    expect(failure.failure).toBe('configuration');
    expect(failure.message).not.toContain('secret');
    if (client?.at === 'service') expect(failure.message).toMatch(/^webhook "[^"]+" of .*its service hooks\/foo /);
  });

  it('EXP-5: a service in a member is reached by the service proxy of its API server', async () => {
    const sent: Pick<UpstreamCall, 'method' | 'path' | 'headers'>[] = [];
    const upstream: Upstream = {
      async call({ method, path, headers, body: given }) {
        sent.push({ method, path, headers });
        return { status: 200, headers: {}, body: bodyOf(given as Buffer) };
      },
      upgrade: () => Promise.reject(new Error('nothing is upgraded')),
      [Symbol.asyncDispose]: async () => {},
    };
    await using hooks = calls({ resolveService: () => ({ cluster: 'member1', upstream }) });
    const proxy = '/api/v1/namespaces/hooks/services/https:foo:443/proxy';
    for (const [path, expected] of [
      ['', '/?timeout=10s'],
      ['/x/y', '/x/y?timeout=10s'],
      ['/../../secrets', '/secrets?timeout=10s'],
    ] as const) {
      const answer = await hooks.call(hookOf({ client: { ...service, path } }), 'status', body);
      expect(String(answer)).toBe('{"a":1}');
      expect(sent.pop()).toMatchObject({ method: 'POST', path: `${proxy}${expected}` });
    }
    await hooks.call(hookOf({ client: service }), 'status', body);
    expect(sent[0]?.headers).not.toHaveProperty('host');
  });

  it.each(['169.254.169.254', '[fe80::1]', '[::ffff:169.254.1.1]', '[fd00:ec2::254]'])(
    'EXP-5: the link-local address %s is refused, by url and by service',
    async (host) => {
      await using hooks = calls({ resolveService: () => `https://${host}/` });
      for (const client of [{ at: 'url', url: `https://${host}/latest` } as const, service]) {
        const failure = await failureOf(hooks.call(hookOf({ client }), 'status', body));
        expect(failure).toMatchObject({ failure: 'refused-address', reason: 'its address must not be dialled' });
      }
    },
  );

  it('EXP-5: names are checked by what they resolve to', async () => {
    await using server = await startHookServer((_, response) => response.end('{}'));
    const asked: string[] = [];
    await using hooks = calls({
      canDial(address) {
        asked.push(address);
        return false;
      },
    });
    const failure = await failureOf(
      hooks.call(at(server.url.replace('127.0.0.1', 'localhost'), server.ca), 'status', body),
    );
    expect(failure.failure).toBe('refused-address');
    expect(asked).toContain('127.0.0.1');
  });

  it('EXP-5: one that is not there, and no part of its URL is in the error', async () => {
    const gone = await startHookServer(() => {});
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    await using hooks = calls();
    const failure = await failureOf(hooks.call(at(`${url}/token-s3cret`), 'retaining', body));
    expect(failure).toMatchObject({ failure: 'unreachable', reason: 'it cannot be reached (ECONNREFUSED)' });
    expect(failure).toMatchObject({ hook: 'examples/workloads.example.com', operation: 'retaining' });
    expect(failure.cause).toBeUndefined();
    expect(failure.message).toBe(
      'webhook "workloads.example.com" of ResourceExploringWebhookConfiguration "examples" failed (retaining): it cannot be reached (ECONNREFUSED)',
    );
  });

  const head = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' });
  it.each<[string, (response: ServerResponse) => void]>([
    ['never answers', () => {}],
    ['sends its head only', (response) => head(response).flushHeaders()],
    [
      'sends a byte now and then',
      (response) => {
        head(response).write('{');
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('EXP-5: the timeout covers the body: one that %s', async (_, answer) => {
    await using server = await startHookServer((_, response) => answer(response));
    await using hooks = calls();
    const started = performance.now();
    const failure = await failureOf(hooks.call(at(server.url, server.ca, { timeoutSeconds: 1 }), 'status', body));
    expect(failure).toMatchObject({ failure: 'timeout', reason: 'no answer within 1 s' });
    expect(performance.now() - started).toBeGreaterThan(900);
    // Whoever did not answer in time is not listened to any more.
    for (let turn = 0; turn < 100 && server.sockets.size > 0; turn++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.sockets.size).toBe(0);
  });

  it('EXP-5: the timeout covers looking up a service', async () => {
    const clock = new ManualClock();
    await using hooks = calls({ clock, resolveService: () => new Promise(() => {}) });
    const failing = failureOf(hooks.call(hookOf({ client: service, timeoutSeconds: 30 }), 'status', body));
    await clock.advance(29_999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(await failing).toMatchObject({ failure: 'timeout', reason: 'no answer within 30 s' });
    expect(clock.pending).toBe(0);
  });

  it('the caller’s own end is no fault of the hook', async () => {
    await using server = await startHookServer(() => {});
    await using hooks = calls();
    const ended = new AbortController();
    const call = hooks.call(at(server.url, server.ca), 'status', body, ended.signal);
    setTimeout(() => ended.abort(new Error('stopped')), 100);
    await expect(call).rejects.toThrow('stopped');
    await expect(hooks.call(at(server.url, server.ca), 'status', body, ended.signal)).rejects.toThrow('stopped');
  });

  const limit = 3 * 1024 * 1024;
  it.each([limit, limit + 1])('LIMIT-1: an answer of %d bytes', async (size) => {
    await using server = await startHookServer((_, response) => response.end(Buffer.alloc(size, ' ')));
    await using hooks = calls();
    const call = hooks.call(at(server.url, server.ca), 'status', body);
    if (size <= limit) expect(await call).toHaveLength(size);
    else
      expect(await failureOf(call)).toMatchObject({
        failure: 'invalid-answer',
        reason: expect.stringContaining('3145728'),
      });
  });

  it('EXP-4: one that goes on for ever is left alone', async () => {
    await using server = await startHookServer((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    });
    await using hooks = calls();
    expect(await failureOf(hooks.call(at(server.url, server.ca), 'status', body))).toMatchObject({
      failure: 'invalid-answer',
    });
  });

  it.each([
    [301, 'it redirects (301), which is not followed'],
    [308, 'it redirects (308), which is not followed'],
    [404, 'it answered with status 404'],
    [500, 'it answered with status 500'],
  ])('EXP-4: status %d is an error, without what the hook wrote', async (status, reason) => {
    await using other = await startHookServer((_, response) => response.end('{}'));
    await using server = await startHookServer((_, response) => {
      response.writeHead(status, { location: `${other.url}/x` }).end('Error: secret\n    at stack.ts:1');
    });
    await using hooks = calls();
    expect(await failureOf(hooks.call(at(server.url, server.ca), 'status', body))).toMatchObject({
      failure: 'http-status',
      reason,
    });
    expect(other.requests).toEqual([]);
  });

  it.each([
    ['gzip', false],
    ['Identity', true],
  ])('EXP-4: an answer in the encoding %s', async (encoding, isRead) => {
    await using server = await startHookServer((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end('{}');
    });
    await using hooks = calls();
    const call = hooks.call(at(server.url, server.ca), 'status', body);
    if (isRead) expect(String(await call)).toBe('{}');
    else expect(await failureOf(call)).toMatchObject({ reason: 'the answer is compressed' });
  });

  it('EXP-4: a connection that the server has closed meanwhile is made again', async () => {
    await using server = await startHookServer((_, response, request) => {
      if (server.requests.length === 2) request.socket.destroy();
      else response.end('{}');
    });
    await using hooks = calls();
    for (let i = 0; i < 2; i++) await hooks.call(at(server.url, server.ca), 'status', body);
    expect(server.requests).toHaveLength(3);
  });

  it('EXP-5: pools that nobody uses are closed', async () => {
    const clock = new ManualClock();
    await using server = await startHookServer((_, response) => response.end('{}'));
    await using other = await startHookServer((_, response) => response.end('{}'));
    await using hooks = calls({ clock });
    await hooks.call(at(server.url, server.ca), 'status', body);
    expect(server.sockets.size).toBe(1);
    clock.skip(5 * 60_000 + 1);
    await hooks.call(at(other.url, other.ca), 'status', body);
    for (let turn = 0; turn < 100 && server.sockets.size > 0; turn++) await settled();
    expect([server.sockets.size, other.sockets.size]).toEqual([0, 1]);
  });

  it('EXP-5: at the end every connection is closed, also under a call', async () => {
    await using server = await startHookServer(() => {});
    const hooks = calls();
    const failing = failureOf(hooks.call(at(server.url, server.ca), 'status', body));
    while (server.requests.length === 0) await settled();
    await hooks[Symbol.asyncDispose]();
    expect(await failing).toMatchObject({ failure: 'unreachable' });
    await expect(hooks.call(at(server.url, server.ca), 'status', body)).rejects.toThrow();
  });
});
