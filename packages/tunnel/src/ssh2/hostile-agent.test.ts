/** An agent that has a token and violates the protocol, through ssh2's internals, as no normal client can. */

import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import ssh2, { type Client, type Key, type Protocol } from 'ssh2';
import { describe, expect, test } from 'vitest';
import { memoryLink } from '../testing/memory-link.ts';
import { closed, TunnelBed } from '../testing/tunnel-bed.ts';
import type { TunnelServerOptions } from '../tunnel-server.ts';
import { algorithms } from './algorithms.ts';

type Done = (error?: Error) => void;

/** The internals that this agent uses. */
interface HostileClient extends Client {
  exec(command: string, done: Done): void;
  shell(done: Done): void;
  sftp(done: Done): void;
  _protocol: Protocol & {
    _packetRW: { write: { allocStart: number; alloc(size: number): Buffer; finalize(packet: Buffer): Buffer } };
    channelData(id: number, data: Buffer): void;
    channelOpenConfirm(sender: number, local: number, window: number, packetSize: number): void;
    ping(): void;
  };
}

const { sendPacket } = createRequire(import.meta.url)('ssh2/lib/protocol/utils.js') as {
  sendPacket(protocol: Protocol, packet: Buffer): void;
};

/** CHANNEL_OPEN: byte 90, string type, uint32 sender, window, packet size, and zeros for the type's own fields. */
function openChannel({ _protocol: protocol }: HostileClient, type: string): void {
  const { write } = protocol._packetRW;
  const packet = write.alloc(1 + 4 + type.length + 12 + 16);
  const start = write.allocStart;
  packet.fill(0, start);
  packet[start] = 90;
  packet.writeUInt32BE(type.length, start + 1);
  packet.write(type, start + 5, 'latin1');
  sendPacket(protocol, write.finalize(packet));
}

const honest = {
  hostVerifier: () => true,
  algorithms,
  ident: 'hostile',
  password: 'wrong',
  keepaliveInterval: 0,
  keepaliveCountMax: 0,
  readyTimeout: 10_000,
};

async function setUp(options: Partial<TunnelServerOptions> = {}) {
  const bed = await TunnelBed.start(options);
  const [socket, accepted] = memoryLink();
  bed.server.accept(accepted, '127.0.0.1');
  const client = new ssh2.Client() as HostileClient;
  client.on('error', () => {});
  const ready = Promise.withResolvers<void>();
  client.once('ready', ready.resolve);
  client.connect({
    ...honest,
    sock: socket,
    username: 'mordor',
    password: bed.tokenOf('mordor').secret,
    authHandler: ['password'],
  });
  await ready.promise;
  await bed.until(() => bed.server.agents.of('mordor').length === 1);
  const [connection] = bed.server.agents.of('mordor');
  const registering = (address: string, port: number) =>
    new Promise<Error | undefined>((resolve) => client.forwardIn(address, port, resolve));
  return {
    bed,
    socket,
    client,
    registering,
    connection: connection!,
    refusals: () => bed.refused.map(({ what }) => what),
    cutOff: () => bed.until(() => connection!.closed !== undefined),
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await bed[Symbol.asyncDispose]();
    },
  };
}

/** The server opens a stream whose channel the hostile agent controls. */
async function openedStream({ client, registering, bed }: Awaited<ReturnType<typeof setUp>>) {
  await registering('kubernetes', 443);
  const channels: { outgoing: { id: number } }[] = [];
  client.on('tcp connection', (_info, accept) => channels.push(accept()));
  const stream = await bed.dial('mordor');
  await bed.until(() => channels.length === 1);
  return { stream, id: channels[0]!.outgoing.id };
}

describe('AGENT-4: refused, and reported', () => {
  test.each([
    ['direct-tcpip', 'channel direct-tcpip'],
    ['direct-streamlocal@openssh.com', 'channel direct-streamlocal@openssh.com'],
    ['x11', 'channel x11'],
    ['auth-agent@openssh.com', 'channel auth-agent@openssh.com'],
    ['forwarded-tcpip', 'channel forwarded-tcpip'],
    ['tun@openssh.com', 'channel tun@openssh.com'],
  ])('a channel of type %s', async (type, what) => {
    await using hostile = await setUp();
    openChannel(hostile.client, type);
    await hostile.bed.until(() => hostile.refusals().length > 0);
    expect(hostile.bed.refused).toEqual([{ what, cluster: 'mordor', address: '127.0.0.1' }]);
  });

  const sessions: [string, (client: HostileClient, done: Done) => void, string][] = [
    ['exec', (client, done) => client.exec('id', done), 'session exec'],
    ['shell', (client, done) => client.shell(done), 'session pty'],
    ['sftp', (client, done) => client.sftp(done), 'subsystem sftp'],
    ['another subsystem', (client, done) => client.subsys('netconf', done), 'subsystem netconf'],
  ];
  test.each(sessions)('a session for %s', async (_name, ask, what) => {
    await using hostile = await setUp();
    const error = await new Promise((resolve) => ask(hostile.client, resolve));
    expect(error).toBeInstanceOf(Error);
    expect(hostile.refusals()).toContain(what);
  });

  test('a second session', async () => {
    await using hostile = await setUp();
    const [first, second] = [0, 1].map(
      () => new Promise((resolve) => hostile.client.subsys('fleet-agent', (error) => resolve(error))),
    );
    expect(await first).toBeUndefined();
    expect(await second).toBeInstanceOf(Error);
    expect(hostile.refusals()).toEqual(['second session']);
  });

  test.each([
    ['rohan', 443],
    ['localhost', 443],
    ['', 443],
    ['0.0.0.0', 0],
    ['kubernetes', 80],
    ['__proto__', 443],
  ])('registering %s:%i', async (address, port) => {
    await using hostile = await setUp();
    expect(await hostile.registering(address, port)).toBeInstanceOf(Error);
    expect(hostile.refusals()).toEqual(['tcpip-forward']);
    expect(hostile.connection.targets.size).toBe(0);
  });

  test('an agent that keeps asking is cut off', async () => {
    await using hostile = await setUp({ limits: { refusals: 10 } });
    for (let asked = 0; asked < 50; asked++) openChannel(hostile.client, 'direct-tcpip');
    await hostile.cutOff();
    expect(hostile.connection.closed?.message).toBe('too many refused requests');
    expect(hostile.refusals()).toHaveLength(11);
  });
});

describe('AGENT-7: cut off', () => {
  test('an agent that sends beyond its window', async () => {
    await using hostile = await setUp();
    const { stream, id } = await openedStream(hostile);
    const data = Buffer.alloc(32 * 1024);
    // A window is 2 MiB, and it is not read.
    const send = (size: number) => hostile.client._protocol.channelData(id, data.subarray(0, size));
    for (let sent = data.length; sent < 2 * 1024 * 1024; sent += data.length) send(data.length);
    send(30_000);
    await delay(200);
    expect(hostile.connection.closed).toBeUndefined();
    expect(stream.destroyed).toBe(false);
    // 2768 bytes of the window are left.
    send(2769);
    await hostile.cutOff();
    expect(hostile.connection.closed?.message).toBe('the agent broke the protocol: window overrun');
    expect(hostile.refusals()).toEqual(['window overrun']);
    expect(stream.destroyed).toBe(true);
  });

  test('an agent that sends after the last byte of its window', async () => {
    await using hostile = await setUp();
    const { id } = await openedStream(hostile);
    const data = Buffer.alloc(32 * 1024);
    for (let sent = 0; sent < 2 * 1024 * 1024; sent += data.length) hostile.client._protocol.channelData(id, data);
    await delay(200);
    expect(hostile.connection.closed).toBeUndefined();
    hostile.client._protocol.channelData(id, data.subarray(0, 1));
    await hostile.cutOff();
    expect(hostile.refusals()).toEqual(['window overrun']);
  });

  test('an agent that sends data for channels that do not exist', async () => {
    await using hostile = await setUp({ limits: { refusals: 10 } });
    for (let sent = 0; sent < 50; sent++) hostile.client._protocol.channelData(77, Buffer.alloc(10));
    await hostile.cutOff();
    expect(new Set(hostile.refusals())).toEqual(new Set(['data for no channel']));
  });

  test('the limit of connections per cluster', async () => {
    await using hostile = await setUp({ limits: { connections: 1 } });
    const [socket, accepted] = memoryLink();
    hostile.bed.server.accept(accepted, '127.0.0.1');
    const client = new ssh2.Client();
    client.on('error', () => {});
    const ended = new Promise((resolve) => client.once('close', resolve));
    const { secret } = hostile.bed.tokenOf('mordor');
    client.connect({ ...honest, sock: socket, username: 'mordor', password: secret, authHandler: ['password'] });
    await ended;
    expect(hostile.bed.refused).toMatchObject([{ what: 'too many connections of one cluster', cluster: 'mordor' }]);
    expect(hostile.bed.server.agents.of('mordor')).toHaveLength(1);
  });

  test('credentials that come faster than they are stored: one is stored, one waits', async () => {
    const stored: string[] = [];
    await using hostile = await setUp({
      credentials: (_, { controlToken }) => {
        stored.push(controlToken);
        return new Promise(() => {});
      },
    });
    const answers: string[] = [];
    hostile.client.subsys('fleet-agent', (_error, channel) => {
      channel.on('data', (chunk: Buffer) => answers.push(...chunk.toString().trim().split('\n')));
      for (let id = 0; id < 10; id++) {
        const credentials = { caBundle: 'ca', controlToken: `${id}`, impersonatorToken: 'x' };
        channel.write(`${JSON.stringify({ type: 'credentials', id, credentials })}\n`);
      }
    });
    await hostile.bed.until(() => answers.length === 9);
    expect(stored).toEqual(['0']);
    expect(answers.slice(1).every((line) => line.includes('credentials-refused'))).toBe(true);
  });

  test.each([0, 1, 1023])('an agent that accepts packets of at most %i bytes', async (size) => {
    await using hostile = await setUp();
    const { _protocol: protocol } = hostile.client;
    const confirm = protocol.channelOpenConfirm.bind(protocol);
    protocol.channelOpenConfirm = (sender, local, window) => confirm(sender, local, window, size);
    await hostile.registering('kubernetes', 443);
    hostile.client.on('tcp connection', (_info, accept) => accept());
    await expect(hostile.bed.dial('mordor')).rejects.toMatchObject({ code: 'ERR_NO_AGENT' });
    expect(hostile.refusals()).toEqual(['packets too small']);
  });

  test('an agent that sends requests without end and reads no reply', async () => {
    await using hostile = await setUp({ limits: { unsentCut: 100_000 } });
    hostile.socket.pause();
    for (let asked = 0; asked < 5000; asked++) hostile.client._protocol.ping();
    await hostile.cutOff();
    expect(hostile.connection.closed?.message).toBe('the other side does not read');
    expect(hostile.refusals()).toEqual(['the other side does not read']);
  });

  test('an agent that does not complete a key exchange, whoever started it', async () => {
    await using hostile = await setUp({ limits: { kexTime: 300, rekeyBytes: 100_000 } });
    const { stream } = await openedStream(hostile);
    hostile.socket.pause();
    stream.write(Buffer.alloc(1_000_000));
    await hostile.cutOff();
    expect(hostile.connection.closed?.message).toBe('a key exchange took too long');
    // Bytes written meanwhile wait in the stream, not in ssh2's queue.
    expect(hostile.connection.bytesOut).toBeLessThan(200_000);
  });

  test('an agent that sends requests without end during a key exchange', async () => {
    await using hostile = await setUp({ limits: { rekeyBytes: 100_000, kexTime: 5_000 } });
    const { stream } = await openedStream(hostile);
    // The server starts the exchange; this client has not read that, and continues as before.
    hostile.socket.pause();
    stream.write(Buffer.alloc(1_000_000));
    for (let asked = 0; asked < 10_002; asked++) hostile.client._protocol.ping();
    // Received bytes are checked with the next piece.
    await hostile.bed.until(() => {
      if (hostile.connection.closed === undefined) hostile.client._protocol.ping();
      return hostile.connection.closed !== undefined;
    });
    expect(hostile.connection.closed?.message).toBe('too many requests during a key exchange');
    expect(hostile.refusals()).toEqual(['too many requests during a key exchange']);
  });

  test('invalid control messages', async () => {
    await using hostile = await setUp();
    hostile.client.subsys('fleet-agent', (_error, channel) => channel.write('{"type":"hello","version":1}\n'));
    await hostile.cutOff();
    expect(hostile.connection.closed?.message).toBe('malformed control message hello');
    expect(hostile.refusals()).toEqual(['malformed control message hello']);
  });

  test('the limit of channels per cluster, closed or not yet closed', async () => {
    await using hostile = await setUp({ limits: { channels: 3 } });
    await hostile.registering('kubernetes', 443);
    hostile.client.on('tcp connection', (_info, accept) => {
      // Never closes its side.
      accept().close = () => {};
    });
    const streams = await Promise.all([1, 2, 3].map(() => hostile.bed.dial('mordor')));
    await expect(hostile.bed.dial('mordor')).rejects.toMatchObject({ code: 'ERR_AGENT_CHANNELS', sent: false });
    for (const stream of streams) stream.destroy();
    await delay(50);
    await expect(hostile.bed.dial('mordor')).rejects.toMatchObject({ code: 'ERR_AGENT_CHANNELS' });
    hostile.socket.destroy();
    await hostile.cutOff();
  });
});

describe('AGENT-3: without a login', () => {
  test.each(['', 'SSH-2.0-silent\r\n', 'GET / HTTP/1.1\r\n\r\n', 'SSH-2.0-x\r\n\0\0\0\x0c\x0a\x14rubbish'])(
    'a client that sends %j is closed in time',
    async (bytes) => {
      await using bed = await TunnelBed.start({ limits: { loginTime: 200 } });
      const socket = connect(bed.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(bytes);
      await closed(socket.resume());
      await bed.until(() => bed.server.pendingLogins === 0);
      expect(bed.server.agents.clusters).toEqual([]);
    },
  );

  test.each([
    ['', []],
    ['SSH-2*0-x\r\n', [{ what: 'no login', cluster: undefined, address: '127.0.0.1' }]],
    ['SSH-2.0-x\r\n', [{ what: 'no login', cluster: undefined, address: '127.0.0.1' }]],
  ])('a client that sends %j and leaves is reported, if anything was sent', async (bytes, refused) => {
    await using bed = await TunnelBed.start();
    const socket = await bed.connect();
    socket.end(bytes);
    await closed(socket.resume());
    await bed.until(() => bed.server.pendingLogins === 0);
    expect(bed.refused).toEqual(refused);
  });

  test('51 connections', async () => {
    await using bed = await TunnelBed.start({ limits: { loginsPerSecond: 1000 } });
    const sockets = await Promise.all(Array.from({ length: 51 }, () => bed.connect()));
    await bed.until(() => bed.refused.length > 0);
    expect(bed.refused).toEqual([{ what: 'too many logins at once', cluster: undefined, address: '127.0.0.1' }]);
    expect(bed.server.pendingLogins).toBe(50);
    for (const socket of sockets) socket.destroy();
    await bed.until(() => bed.server.pendingLogins === 0);
  });

  test('a key of the cluster, without its private half', async () => {
    const [theirs, ours] = [0, 1].map(() => ssh2.utils.generateKeyPairSync('ed25519', { comment: '' }).private);
    const publicKey = (ssh2.utils.parseKey(theirs!) as Key).getPublicSSH();
    const asked: string[] = [];
    await using bed = await TunnelBed.start({
      authenticate: (login) => {
        asked.push(login.by);
        return login.by === 'key' && login.publicKey.equals(publicKey);
      },
    });
    const forged = Object.assign(ssh2.utils.parseKey(ours!) as Key, { getPublicSSH: () => publicKey });
    const client = new ssh2.Client();
    const ended = new Promise((resolve) => client.on('error', resolve));
    const username = 'gondor';
    const authHandler = [{ type: 'publickey' as const, username, key: forged }];
    client.connect({ ...honest, sock: await bed.connect(), username, authHandler });
    await ended;
    // The query whether the key is acceptable was answered; the signature was refused.
    expect(asked).toEqual(['key']);
    expect(bed.failedLogins).toMatchObject([{ name: 'gondor', by: 'publickey' }]);
    expect(bed.server.agents.clusters).toEqual([]);
  });

  test('passwords that are tried one after the other', async () => {
    await using bed = await TunnelBed.start({ limits: { loginFailures: 3 } });
    bed.tokenOf('gondor');
    const client = new ssh2.Client();
    const ended = new Promise((resolve) => client.once('close', resolve));
    client.on('error', () => {});
    client.connect({
      ...honest,
      sock: await bed.connect(),
      username: 'gondor',
      authHandler: Array.from({ length: 10 }, () => 'password'),
    });
    await ended;
    expect(bed.failedLogins).toHaveLength(3);
  });
});
