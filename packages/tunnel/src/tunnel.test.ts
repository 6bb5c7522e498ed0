/** Server and agent over real sockets. */

import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { CredentialSource } from './agent.ts';
import type { AgentCredentials } from './control-messages.ts';
import { StillClock } from './testing/still-clock.ts';
import { Backend, closed, echo, TunnelBed, textOf } from './testing/tunnel-bed.ts';

async function setUp(answer = echo, options: Parameters<typeof TunnelBed.start>[0] = {}) {
  const backend = await Backend.start(answer);
  const bed = await TunnelBed.start(options);
  return {
    backend,
    bed,
    async [Symbol.asyncDispose]() {
      await bed[Symbol.asyncDispose]();
      await backend[Symbol.asyncDispose]();
    },
  };
}

const bothThere = (bed: TunnelBed, cluster = 'gondor') => bed.until(() => bed.connections(cluster).length === 2);
const signal = AbortSignal.timeout(60_000);

describe('streams', () => {
  test('AGENT-5: an agent holds two connections, and a stream goes over the one of its kind', async () => {
    await using tunnel = await setUp();
    const { bed, backend } = tunnel;
    bed.agent('gondor', backend);
    await bothThere(bed);
    for (const kind of ['bulk', 'interactive'] as const) {
      const { stream, over } = await bed.server.agents.dial({ cluster: 'gondor', target: 'kubernetes', kind, signal });
      stream.end('hello');
      expect(await textOf(stream)).toBe('hello');
      expect(over).toMatchObject({ kind, version: '1.0.0', address: '127.0.0.1', bytesIn: expect.any(Number) });
    }
  });

  test('half-close: the response after the end is still read, and nothing is left over', async () => {
    await using tunnel = await setUp((socket) => {
      textOf(socket).then((asked) => socket.end(`you sent ${asked}`));
    });
    const { bed, backend } = tunnel;
    bed.agent('gondor', backend);
    await bothThere(bed);
    const stream = await bed.dial('gondor');
    stream.end('x'.repeat(3_000_000));
    expect((await textOf(stream)).length).toBe(3_000_009);
    await closed(stream);
    await bed.until(() => bed.connections('gondor').every(({ streams }) => streams === 1));
    await bed.until(() => backend.sockets.size === 0);
  });

  test('a stream that the server destroys is closed at the target, and vice versa', async () => {
    await using tunnel = await setUp();
    const { bed, backend } = tunnel;
    bed.agent('gondor', backend);
    await bothThere(bed);
    const first = await bed.dial('gondor');
    first.destroy();
    await bed.until(() => backend.sockets.size === 0);
    const second = await bed.dial('gondor');
    second.write('x');
    await once(second, 'data');
    for (const socket of backend.sockets) socket.resetAndDestroy();
    const [error] = await once(second, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  });

  test('a target that refuses connections: the error reports that nothing was sent', async () => {
    await using tunnel = await setUp();
    const { bed, backend } = tunnel;
    await backend[Symbol.asyncDispose]();
    bed.agent('gondor', backend);
    await bothThere(bed);
    await expect(bed.dial('gondor')).rejects.toMatchObject({ code: 'ERR_AGENT_DIAL', sent: false });
    expect(bed.connections('gondor')).toHaveLength(2);
  });

  test('AGENT-4: a target that the agent did not register is not dialled', async () => {
    await using tunnel = await setUp();
    const { bed, backend } = tunnel;
    bed.agent('gondor', backend);
    await bothThere(bed);
    const dialled = bed.server.agents.dial({ cluster: 'gondor', target: 'kubesphere', kind: 'bulk', signal });
    await expect(dialled).rejects.toMatchObject({ code: 'ERR_NO_AGENT' });
  });

  test('NAME-8: without an agent', async () => {
    await using tunnel = await setUp();
    await expect(tunnel.bed.dial('gondor')).rejects.toMatchObject({ code: 'ERR_NO_AGENT', sent: false });
  });
});

describe('login', () => {
  test('AGENT-3: an agent that pins another host key sends no token', async () => {
    await using tunnel = await setUp();
    const { bed, backend } = tunnel;
    const logged = Promise.withResolvers<string>();
    bed.agent('gondor', backend, { fingerprints: ['x'.repeat(43)], log: (_, text) => logged.resolve(text) });
    expect(await logged.promise).toMatch(/Host denied \(verification failed\)/);
    expect(bed.failedLogins).toEqual([]);
    expect(bed.server.agents.clusters).toEqual([]);
  });

  test('AGENT-3: a token of another cluster, and one that was replaced', async () => {
    await using tunnel = await setUp();
    const { bed, backend } = tunnel;
    bed.tokenOf('gondor');
    const { secret } = bed.tokenOf('mordor');
    bed.agent('gondor', backend, { secret });
    await bed.until(() => bed.failedLogins.length > 0);
    expect(bed.failedLogins[0]).toMatchObject({ name: 'gondor', by: 'password', address: '127.0.0.1' });
    expect(bed.server.agents.clusters).toEqual([]);
  });
});

test('AGENT-3: logins that succeed do not count: many agents come from one address within a second', async () => {
  await using backend = await Backend.start(echo);
  await using bed = await TunnelBed.start({ limits: { loginsPerSecond: 2 }, clock: new StillClock() });
  const clusters = ['gondor', 'rohan', 'arnor'];
  for (const cluster of clusters) bed.agent(cluster, backend);
  await bed.until(() => clusters.every((cluster) => bed.connections(cluster).length === 2));
  expect(bed.server.pendingLogins).toBe(0);
});

describe('connections that end', () => {
  test('AGENT-9: closing a cluster ends its streams at once, and the agent comes back', async () => {
    await using tunnel = await setUp();
    const { bed, backend } = tunnel;
    bed.agent('gondor', backend);
    await bothThere(bed);
    const before = bed.connections('gondor');
    const stream = await bed.dial('gondor');
    const failed = once(stream, 'error');
    bed.server.agents.close('gondor', 'the cluster is deleted');
    expect(bed.connections('gondor')).toEqual([]);
    expect(before[0]!.closed?.message).toBe('the cluster is deleted');
    expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
    await bothThere(bed);
    expect(bed.connections('gondor')).not.toContain(before[0]);
  });

  test('AGENT-6: of two agents one is killed, streams are opened by the other', async () => {
    await using tunnel = await setUp();
    const { bed, backend } = tunnel;
    const first = new AbortController();
    bed.agent('gondor', backend, {}, first.signal);
    bed.agent('gondor', backend);
    await bed.until(() => bed.connections('gondor').length === 4);
    const { over } = await bed.server.agents.dial({ cluster: 'gondor', target: 'kubernetes', kind: 'bulk', signal });
    const request = { cluster: 'gondor', target: 'kubernetes', kind: 'bulk', signal, avoid: over } as const;
    expect((await bed.server.agents.dial(request)).over.instance).not.toBe(over.instance);
    first.abort();
    await bed.until(() => bed.connections('gondor').length === 2);
    const streams = await Promise.all(Array.from({ length: 20 }, () => bed.dial('gondor')));
    for (const stream of streams) stream.destroy();
  });

  test('a stopping agent accepts no new streams, and drains active ones', async () => {
    await using tunnel = await setUp();
    const { bed, backend } = tunnel;
    const stop = new AbortController();
    const running = bed.agent('gondor', backend, { drainTime: 10_000 }, stop.signal);
    await bothThere(bed);
    const stream = await bed.dial('gondor');
    stop.abort();
    await bed.until(() => bed.connections('gondor').length === 0);
    let received = 0;
    stream.on('data', (piece: Buffer) => (received += piece.length));
    for (let sent = 0; sent < 15; sent++) {
      stream.write('x');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    stream.end();
    await once(stream, 'end');
    expect(received).toBe(15);
    await running;
  });

  test('AGENT-6: a dead link is detected, on both ends', async () => {
    const limits = { keepaliveInterval: 100, keepaliveCount: 2 };
    await using tunnel = await setUp(echo, { limits });
    const { bed, backend } = tunnel;
    const log: string[] = [];
    bed.agent('gondor', backend, { limits, log: (_, text) => log.push(text) });
    await bothThere(bed);
    const [connection] = bed.connections('gondor');
    const stream = (await bed.dial('gondor')) as Duplex;
    const failed = once(stream, 'error');
    const sockets = [...bed.sockets];
    // Neither side receives anything from here on.
    for (const socket of bed.sockets) Object.assign(socket, { write: () => true }).pause();
    await bed.until(() => connection!.closed !== undefined);
    expect(connection!.closed?.message).toBe('Keepalive timeout');
    await failed;
    // ssh2 itself leaves it open.
    await bed.until(() => sockets.every(({ destroyed }) => destroyed));
    await bothThere(bed);
    await bed.until(() => log.filter((text) => text === 'bulk connection is established').length === 2);
  });

  test('opening a stream ends with the caller’s signal, and times out', async () => {
    await using tunnel = await setUp(echo, { limits: { openTime: 200 } });
    const { bed, backend } = tunnel;
    bed.agent('gondor', backend);
    await bothThere(bed);
    // The agent's replies are not read.
    for (const socket of bed.sockets) socket.pause();
    const caller = new AbortController();
    const dialled = bed.connections('gondor')[0]!.dial('kubernetes', caller.signal);
    caller.abort(new Error('the caller is gone'));
    await expect(dialled).rejects.toThrow('the caller is gone');
    await expect(bed.dial('gondor')).rejects.toMatchObject({ code: 'ERR_AGENT_DIAL' });
    for (const socket of bed.sockets) socket.resume();
    // A channel that opens too late is closed.
    await bed.until(() => backend.connections > 0 && backend.sockets.size === 0);
  });
});

test('AGENT-10: credentials are handed over, after a refusal and a change again', async () => {
  const handed: AgentCredentials[] = [];
  await using tunnel = await setUp(echo, {
    credentials: async ({ cluster }, credentials) => {
      expect(cluster).toBe('gondor');
      handed.push(credentials);
    },
  });
  const { bed, backend } = tunnel;
  let credentials: AgentCredentials = { caBundle: 'ca', controlToken: 'one', impersonatorToken: 'two' };
  let change: () => void = () => {};
  const source: CredentialSource = {
    current: () => credentials,
    onChange: (call) => {
      change = call;
      return { [Symbol.dispose]: () => {} };
    },
  };
  const stored: string[] = [];
  bed.agent('gondor', backend, { credentials: source, log: (_, text) => stored.push(text) });
  await bed.until(() => handed.length === 1);
  credentials = { ...credentials, controlToken: 'renewed' };
  change();
  await bed.until(() => handed.length === 2);
  expect(handed.map(({ controlToken }) => controlToken)).toEqual(['one', 'renewed']);
  await bed.until(() => stored.includes('credentials are stored'));
});
