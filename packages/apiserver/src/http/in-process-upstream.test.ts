import { watchLines } from '@fleet/kube/watch-lines.ts';
import { describe, expect, it } from 'vitest';
import { privileged } from '../authn/user.ts';
import { openServer } from '../testing/open-server.ts';
import { InProcessUpstream } from './in-process-upstream.ts';

const call = (path: string, method = 'GET', body?: Buffer) => ({
  method,
  path,
  headers: { 'content-type': 'application/json' },
  body,
  signal: new AbortController().signal,
});

async function open() {
  const { server, ...rest } = await openServer();
  return { ...rest, upstream: new InProcessUpstream(server.handler, privileged('test')) };
}

describe('CP-4: the API server as an upstream in the process', () => {
  it('answers calls', async () => {
    const { upstream } = await open();
    const reply = await upstream.call(call('/api/v1/namespaces/default'));
    expect(reply.status).toBe(200);
    expect(JSON.parse((await reply.body.bytes()).toString())).toMatchObject({ kind: 'Namespace' });
  });

  it('LIMIT-1: refuses a body over 3 MiB', async () => {
    const { upstream } = await open();
    const reply = await upstream.call(call('/api/v1/namespaces', 'POST', Buffer.alloc(3 * 1024 * 1024 + 1)));
    expect(reply.status).toBe(413);
  });

  it('watches until its reader gives up, or it ends', async () => {
    const { upstream, ask } = await open();
    const watched = await upstream.call(call('/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dx'));
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'x' } });
    for await (const line of watchLines(watched.body)) {
      expect(JSON.parse(line.toString())).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'x' } } });
      break;
    }
    const other = await upstream.call(call('/api/v1/namespaces?watch=1'));
    await upstream[Symbol.asyncDispose]();
    const lines = await Array.fromAsync(watchLines(other.body));
    expect(lines.length).toBeGreaterThan(3);
  });
});
