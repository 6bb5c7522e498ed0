import { once } from 'node:events';
import { SpdyClient } from '@fleet/kube/spdy/testing/spdy-client.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import { describe, expect, it, vi } from 'vitest';
import { privileged } from '../authn/user.ts';
import { TestConnector } from '../connect/testing/test-connector.ts';
import { podsUrl, spdyHeaders, withPods } from '../testing/connected-server.ts';
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

  it('watches until its reader cancels, or it ends', async () => {
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

describe('URL-13: upgrades in the process', () => {
  const exec = (command: string) => ({
    method: 'POST',
    path: `${podsUrl}/one/exec?stdout=1&stdin=1&command=${command}`,
    headers: { ...spdyHeaders, 'x-stream-protocol-version': 'v4.channel.k8s.io' },
    signal: new AbortController().signal,
  });

  async function opened(command: string) {
    const connector = new TestConnector();
    const { server } = await withPods(connector);
    const upstream = new InProcessUpstream(server.handler, privileged('test'));
    const reply = await upstream.upgrade(exec(command));
    if (reply.is !== 'upgraded') throw new Error(`refused: ${reply.reply.status}`);
    const client = new SpdyClient(reply.stream);
    const [error, stdin, stdout] = [
      await client.open({ streamType: 'error' }),
      await client.open({ streamType: 'stdin' }),
      await client.open({ streamType: 'stdout' }),
    ];
    return { connector, upstream, reply, error, stdin, stdout };
  }

  it('change protocols, half-close, and end', async () => {
    const { reply, error, stdin, stdout } = await opened('cat');
    expect(reply).toMatchObject({ status: 101, headers: { upgrade: 'SPDY/3.1' } });
    const closed = once(reply.stream, 'close');
    stdin.write('hi', true);
    expect(await stdout.text()).toBe('hi');
    expect(JSON.parse(await error.text()).status).toBe('Success');
    reply.stream.end();
    await closed;
  });

  it('a client that breaks off aborts the command, and so does the end of the upstream', async () => {
    for (const leave of ['destroy', 'dispose'] as const) {
      const { connector, upstream, reply } = await opened('wait');
      await vi.waitFor(() => expect(connector.sessions).toHaveLength(1));
      if (leave === 'destroy') reply.stream.destroy();
      else await upstream[Symbol.asyncDispose]();
      await vi.waitFor(() => expect(connector.sessions[0]!.signal.aborted).toBe(true));
      expect(reply.stream.destroyed).toBe(true);
    }
  });

  it('what is refused is a plain answer, and a plain call changes nothing', async () => {
    const { server } = await withPods(new TestConnector());
    const upstream = new InProcessUpstream(server.handler, privileged('test'));
    const refused = await upstream.upgrade({ ...exec('cat'), path: `${podsUrl}/nobody/exec?stdout=1&command=cat` });
    expect(refused).toMatchObject({ is: 'refused', reply: { status: 404 } });
    const plain = await upstream.call(exec('cat'));
    expect(JSON.parse((await plain.body.bytes()).toString())).toMatchObject({ message: 'Upgrade request required' });
  });
});
