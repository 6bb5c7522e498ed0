import { startConnectProxy } from '@fleet/client/testing/proxies.ts';
import { Backend, closed, echo, hostKey, TunnelBed, textOf } from '@fleet/tunnel/testing/tunnel-bed.ts';
import { formatToken, makeToken, parseToken } from '@fleet/tunnel/token.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AgentProgramOptions, runAgentProgram, type TokenSource } from './agent-program.ts';
import { parseServer } from './dial/server-address.ts';
import { startWebSocketFront, startWebSocketProxy } from './testing/web-socket-front.ts';

let backend: Backend;
let bed: TunnelBed;
let ending: AbortController;
let logged: { text: string; fields: object }[];
const running = new Set<Promise<void>>();

beforeEach(async () => {
  ending = new AbortController();
  logged = [];
  backend = await Backend.start(echo);
  bed = await TunnelBed.start();
});

afterEach(async () => {
  ending.abort();
  await Promise.all(running);
  running.clear();
  await bed[Symbol.asyncDispose]();
  await backend[Symbol.asyncDispose]();
});

const log = (fields: object, text: string): void => void logged.push({ fields, text });

const noCredentials = { current: () => undefined, onChange: () => ({ [Symbol.dispose]() {} }) };

class Token implements TokenSource {
  text = formatToken(bed.tokenOf('gondor'));
  #changed = () => {};

  current = () => parseToken(this.text);
  onChange = (call: () => void): Disposable => {
    this.#changed = call;
    return { [Symbol.dispose]() {} };
  };

  replace(text: string): void {
    this.text = text;
    this.#changed();
  }
}

function start(server: string, more: Partial<AgentProgramOptions> = {}): Promise<void> {
  const run = runAgentProgram(
    {
      server: parseServer(server),
      transport: 'auto',
      verifyTls: true,
      token: new Token(),
      targets: { kubernetes: { host: '127.0.0.1', port: backend.port } },
      credentials: noCredentials,
      version: '1.0.0',
      log: { info: log, warn: log },
      tunnel: { drainTime: 0 },
      ...more,
    },
    ending.signal,
  );
  running.add(run);
  return run;
}

async function expectStream(): Promise<void> {
  await bed.until(() => bed.connections('gondor').length === 2);
  for (const kind of ['bulk', 'interactive'] as const) {
    const stream = await bed.dial('gondor', kind);
    const text = textOf(stream);
    // More than one window, so that both sides have to wait for the other.
    stream.end('a'.repeat(5_000_000));
    expect((await text).length).toBe(5_000_000);
    await closed(stream);
  }
}

describe('AGENT-2: an agent reaches the fleet', () => {
  test('directly', async () => {
    start(`https://127.0.0.1:${bed.port}`);
    await expectStream();
  });

  test('through a proxy that knows CONNECT only, and alone knows where the fleet is', async () => {
    await using proxy = await startConnectProxy(undefined, undefined, { 'fleet.test': '127.0.0.1' });
    start(`https://fleet.test:${bed.port}`, { proxy: `http://${proxy.address}` });
    await expectStream();
    expect(proxy.targets).toEqual([`fleet.test:${bed.port}`, `fleet.test:${bed.port}`]);
  });

  test('through a balancer that knows WebSockets only, by itself', async () => {
    await using fleet = await startWebSocketFront(bed.server);
    await using balancer = await startWebSocketProxy(fleet);
    start(`https://localhost:${balancer.port}/fleets/a/`, { certificateAuthority: balancer.ca });
    await expectStream();
    // SSH is tried first; the TLS front does not support it.
    expect(balancer.refused).toBeGreaterThan(0);
    expect(new Set(fleet.upgrades)).toEqual(new Set(['/fleets/a/fleet/agent']));
  });

  test('through a CONNECT proxy and a balancer', async () => {
    await using fleet = await startWebSocketFront(bed.server);
    await using proxy = await startConnectProxy();
    const options = {
      proxy: `http://${proxy.address}`,
      certificateAuthority: fleet.ca,
      transport: 'websocket',
    } as const;
    start(`https://localhost:${fleet.port}`, options);
    await expectStream();
    expect(new Set(proxy.targets)).toEqual(new Set([`localhost:${fleet.port}`]));
  });

  test('TLS in front is checked, unless it is not to be', async () => {
    await using fleet = await startWebSocketFront(bed.server);
    start(`https://localhost:${fleet.port}`, { transport: 'websocket' });
    await bed.until(() => logged.some(({ text }) => text.includes('certificate')));
    expect(fleet.upgrades).toEqual([]);
    start(`https://localhost:${fleet.port}`, { transport: 'websocket', verifyTls: false });
    await expectStream();
  });

  test('with --transport ssh no WebSocket is tried', async () => {
    await using fleet = await startWebSocketFront(bed.server);
    start(`https://localhost:${fleet.port}`, { transport: 'ssh', certificateAuthority: fleet.ca });
    await bed.until(() => fleet.refused > 3);
    expect(fleet.upgrades).toEqual([]);
  });
});

test('what a proxy answered is logged', async () => {
  await using proxy = await startConnectProxy('Basic x');
  start(`https://fleet.test:${bed.port}`, { proxy: `http://${proxy.address}` });
  const answered = 'ssh: the proxy answered 407; websocket: the proxy answered 407';
  await bed.until(() => logged.some(({ text }) => text.endsWith(answered)));
});

describe('AGENT-3', () => {
  test('a fleet with another host key gets no token, whichever transport leads to it', async () => {
    await using fleet = await startWebSocketFront(bed.server);
    const token = new Token();
    token.text = formatToken(makeToken('gondor', ['A'.repeat(43)]));
    start(`https://localhost:${fleet.port}`, { token, certificateAuthority: fleet.ca });
    await bed.until(() => logged.filter(({ text }) => text.includes('Host denied')).length > 1);
    expect(bed.failedLogins).toEqual([]);
    expect(bed.server.agents.clusters).toEqual([]);
  });

  test('a token that is replaced: the next one is logged in with before the last one ends', async () => {
    const token = new Token();
    start(`https://127.0.0.1:${bed.port}`, { token });
    await bed.until(() => bed.connections('gondor').length === 2);
    const [before] = bed.connections('gondor');
    const next = makeToken('gondor', [hostKey.fingerprint]);
    bed.tokens.set('gondor', next);
    token.replace(formatToken(next));
    await bed.until(() => before?.closed !== undefined && bed.connections('gondor').length === 2);
    await expectStream();
  });

  test('one that the fleet does not know: the agent stays with the last one', async () => {
    const token = new Token();
    start(`https://127.0.0.1:${bed.port}`, { token });
    await bed.until(() => bed.connections('gondor').length === 2);
    const [before] = bed.connections('gondor');
    token.replace(formatToken(makeToken('gondor', [hostKey.fingerprint])));
    await bed.until(() => bed.failedLogins.length >= 2);
    expect(before?.closed).toBeUndefined();
    await expectStream();
  });
});

describe('metrics and health', () => {
  const addressOf = () => {
    const entry = logged.find(({ text }) => text === 'metrics and health');
    return `http://${(entry!.fields as { address: string }).address}`;
  };
  const get = async (path: string) => {
    const answer = await fetch(addressOf() + path);
    return { status: answer.status, text: await answer.text() };
  };

  test('ready with both connections; streams and bytes are counted', async () => {
    start(`https://127.0.0.1:${bed.port}`, { metricsListen: '127.0.0.1:0' });
    await expectStream();
    expect(await get('/readyz')).toEqual({ status: 200, text: 'ok\n' });
    const { text } = await get('/metrics');
    expect(text).toContain('fleet_agent_connections{kind="bulk"} 1');
    expect(text).toContain('fleet_agent_streams_total{target="kubernetes"} 2');
    expect(Number(/fleet_agent_bytes_total\{direction="out"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(10_000_000);
    expect((await get('/other')).status).toBe(404);
  });

  test('alive, but not ready, while the fleet cannot be reached', async () => {
    const nowhere = await Backend.start(echo);
    await nowhere[Symbol.asyncDispose]();
    start(`https://127.0.0.1:${nowhere.port}`, { metricsListen: '127.0.0.1:0', transport: 'ssh' });
    await bed.until(() => logged.some(({ text }) => text.includes('ECONNREFUSED')));
    expect((await get('/healthz')).status).toBe(200);
    expect(await get('/readyz')).toEqual({ status: 503, text: 'not connected to the fleet\n' });
    expect((await get('/metrics')).text).toMatch(/fleet_agent_dial_failures_total\{transport="ssh"\} [1-9]/);
  });

  test('no secret of the token is logged', async () => {
    const token = new Token();
    start(`https://127.0.0.1:${bed.port}`, { token });
    await expectStream();
    expect(JSON.stringify(logged)).not.toContain(bed.tokenOf('gondor').secret);
    expect(JSON.stringify(logged)).toContain('interactive connection is established');
  });
});

test('it ends on its signal, after active streams have drained', async () => {
  const run = start(`https://127.0.0.1:${bed.port}`, { tunnel: { drainTime: 5000 } });
  await bed.until(() => bed.connections('gondor').length === 2);
  const stream = await bed.dial('gondor');
  const text = textOf(stream);
  stream.write('one');
  await bed.until(() => backend.sockets.size === 1);
  ending.abort();
  stream.end('two');
  expect(await text).toBe('onetwo');
  await run;
  await bed.until(() => bed.connections('gondor').length === 0);
});
