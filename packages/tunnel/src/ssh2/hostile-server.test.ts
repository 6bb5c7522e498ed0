/** A server that has the pinned key and requests more of the agent than its targets, or violates the protocol. */

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import ssh2, { type Channel, type ServerClient } from 'ssh2';
import { describe, expect, test } from 'vitest';
import { runAgent } from '../agent.ts';
import { Backend, hostKey, listening } from '../testing/tunnel-bed.ts';
import { algorithms } from './algorithms.ts';

interface HostileServerClient extends ServerClient {
  x11(address: string, port: number, done: (error?: Error) => void): void;
  openssh_forwardOutStreamLocal(path: string, done: (error?: Error) => void): void;
  _protocol: ServerClient['_protocol'] & { channelData(id: number, data: Buffer): void };
}

async function setUp() {
  const backend = await Backend.start((socket) => socket.pause());
  const connected = Promise.withResolvers<HostileServerClient>();
  const ended = new AbortController();
  const log: string[] = [];
  const listener = createServer((socket) => {
    const server = new ssh2.Server(
      { hostKeys: [hostKey.privateKey], algorithms, ident: 'x', keepaliveInterval: 10_000, keepaliveCountMax: 3 },
      (client) => {
        client.on('error', () => {});
        client.on('authentication', (context) => context.accept());
        client.on('request', (accept) => {
          accept();
          connected.resolve(client as HostileServerClient);
        });
        client.on('session', (accept) => accept().on('subsystem', (take: () => Channel) => take()));
      },
    );
    server.injectSocket(socket);
  });
  const port = await listening(listener);
  const running = runAgent(
    {
      dial: async () => {
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        return socket;
      },
      name: 'gondor',
      secret: 's',
      fingerprints: [hostKey.fingerprint],
      targets: { kubernetes: { host: '127.0.0.1', port: backend.port } },
      version: '1',
      drainTime: 0,
      log: (_, text) => log.push(text),
    },
    ended.signal,
  );
  return {
    backend,
    log,
    client: await connected.promise,
    async [Symbol.asyncDispose]() {
      ended.abort();
      await running;
      listener.close();
      await backend[Symbol.asyncDispose]();
    },
  };
}

const opening = (client: HostileServerClient, address: string, port: number) =>
  new Promise<Error | undefined>((resolve) => client.forwardOut(address, port, '127.0.0.1', 0, resolve));

describe('AGENT-4: the agent dials nothing but its targets', () => {
  test.each([
    ['127.0.0.1', 22],
    ['kubernetes', 22],
    ['kubesphere', 443],
    ['169.254.169.254', 80],
    ['', 443],
  ])('%s:%i', async (address, port) => {
    await using hostile = await setUp();
    expect(await opening(hostile.client, address, port)).toBeInstanceOf(Error);
    expect(hostile.backend.connections).toBe(0);
    expect(await opening(hostile.client, 'kubernetes', 443)).toBeUndefined();
    expect(hostile.backend.connections).toBe(1);
  });

  test('X11 and sockets in the file system', async () => {
    await using hostile = await setUp();
    const { client } = hostile;
    expect(await new Promise((resolve) => client.x11('127.0.0.1', 6000, resolve))).toBeInstanceOf(Error);
    expect(await new Promise((resolve) => client.openssh_forwardOutStreamLocal('/x', resolve))).toBeInstanceOf(Error);
  });
});

test('AGENT-7: a server that sends beyond its window is disconnected', async () => {
  await using hostile = await setUp();
  const { client, log } = hostile;
  const channel = await new Promise<Channel>((resolve) =>
    client.forwardOut('kubernetes', 443, '127.0.0.1', 0, (_error, opened) => resolve(opened)),
  );
  const gone = new Promise((resolve) => client.once('close', resolve));
  const piece = Buffer.alloc(30_000);
  // More than the window, the agent's memory and the kernel's buffers for a target that does not read.
  for (let sent = 0; sent < 40 * 1024 * 1024; sent += piece.length)
    client._protocol.channelData(channel.outgoing.id, piece);
  await gone;
  expect(log.join('\n')).toContain('the server broke the protocol: window overrun');
});
