import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { listen } from './listener.ts';
import type { ApiHandler } from './message.ts';
import { jsonReply } from './message.ts';

describe('the plain listener', () => {
  it('hands on the request and writes the answer', async () => {
    await using listener = await listen(async ({ method, url, body }) =>
      jsonReply(201, { method, url, body: body.toString() }),
    );
    const response = await fetch(`http://127.0.0.1:${listener.port}/a?b=c`, { method: 'POST', body: 'x' });
    expect([response.status, await response.json()]).toEqual([201, { method: 'POST', url: '/a?b=c', body: 'x' }]);
  });

  it('LIMIT-1: refuses a body over 3 MiB', async () => {
    await using listener = await listen(async () => jsonReply(200, {}));
    const body = Buffer.alloc(3 * 1024 * 1024 + 1);
    const response = await fetch(`http://127.0.0.1:${listener.port}/`, { method: 'POST', body });
    expect([response.status, await response.json()]).toMatchObject([413, { reason: 'RequestEntityTooLarge' }]);
    // Otherwise its rest would be parsed as the next request.
    expect(response.headers.get('connection')).toBe('close');
  });

  it('ends a watch whose client has left', async () => {
    const left = Promise.withResolvers<void>();
    const watching: ApiHandler = async ({ signal }) => {
      signal.addEventListener('abort', () => left.resolve());
      const body = (async function* () {
        yield Buffer.from('first\n');
        await left.promise;
      })();
      return { status: 200, headers: {}, body };
    };
    await using listener = await listen(watching);
    const client = new AbortController();
    const response = await fetch(`http://127.0.0.1:${listener.port}/`, { signal: client.signal });
    await response.body!.getReader().read();
    client.abort();
    await left.promise;
  });

  it('ends though a client goes on asking over the same connection', async () => {
    const asked = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<void>();
    const listener = await listen(async ({ url }) => {
      if (url === '/slow') {
        asked.resolve();
        await ending.promise;
      }
      return jsonReply(200, {});
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const get = async (path: string) => {
      const sent = request({ port: listener.port, path, agent }).end();
      const [response] = await once(sent, 'response');
      return text(response);
    };
    const slow = get('/slow');
    await asked.promise;
    const next = get('/next');
    const ended = listener[Symbol.asyncDispose]();
    ending.resolve();
    expect(await slow).toBe('{}\n');
    await expect(next).rejects.toThrow('ECONNREFUSED');
    await ended;
    agent.destroy();
  });

  it('an answer that breaks off does not look whole', async () => {
    const broken: ApiHandler = async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from('half');
        throw new Error('broken');
      })(),
    });
    await using listener = await listen(broken);
    const response = await fetch(`http://127.0.0.1:${listener.port}/`);
    await expect(response.text()).rejects.toThrow();
  });
});
