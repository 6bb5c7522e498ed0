/** OpenSSH and dropbear as agents (AGENT-1). Skipped where they are not installed; FLEET_BED_NEEDS_SSH makes that an error. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Backend, closed, echo, hostKey, TunnelBed, textOf } from './testing/tunnel-bed.ts';

const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const [hasOpenSsh, hasDropbear] = [isInstalled('ssh') && isInstalled('ssh-keygen'), isInstalled('dbclient')];
if (process.env['FLEET_BED_NEEDS_SSH'] && !(hasOpenSsh && hasDropbear))
  throw new Error('there is no ssh, or no dbclient, in the PATH');

let folder = '';
let backend: Backend;
let bed: TunnelBed;
let keys: Buffer[] = [];
let running: ChildProcess | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-ssh-'));
  keys = [];
  backend = await Backend.start(echo);
  bed = await TunnelBed.start({
    authenticate: (login) =>
      login.name === 'gondor' &&
      (login.by === 'key'
        ? keys.some((key) => key.equals(login.publicKey))
        : login.token === bed.tokenOf('gondor').secret),
    // Small, so that a few megabytes cause several key exchanges.
    limits: { rekeyBytes: 3_000_000 },
  });
});

afterEach(async () => {
  running?.kill();
  await bed[Symbol.asyncDispose]();
  await backend[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function start(program: string, args: string[], env: Record<string, string> = {}): () => string {
  let output = '';
  running = spawn(program, args, {
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.stderr?.on('data', (text: Buffer) => {
    output += text.toString();
  });
  return () => output;
}

/** The same bytes return, over several key exchanges, and nothing is left over. */
async function expectStreams(): Promise<void> {
  await bed.until(() => bed.connections('gondor').length === 1);
  const [connection] = bed.connections('gondor');
  expect(connection).toMatchObject({ kind: 'any', version: undefined, address: '127.0.0.1' });
  const sent = Array.from({ length: 3 }, (_, at) => `${at}`.repeat(4_000_000));
  const streams = await Promise.all(sent.map(() => bed.dial('gondor')));
  const received = streams.map(textOf);
  for (const [at, stream] of streams.entries()) stream.end(sent[at]);
  for (const [at, text] of (await Promise.all(received)).entries()) expect(text === sent[at]).toBe(true);
  await Promise.all(streams.map(closed));
  await bed.until(() => connection?.streams === 0 && backend.sockets.size === 0);
  expect(bed.refused).toEqual([]);
}

const openSsh = (...more: string[]): string[] => [
  '-N',
  ...['-F', 'none', '-o', `UserKnownHostsFile=${join(folder, 'known_hosts')}`, '-o', 'StrictHostKeyChecking=yes'],
  ...['-o', 'ExitOnForwardFailure=yes', '-o', 'IdentitiesOnly=yes'],
  ...['-R', `kubernetes:443:127.0.0.1:${backend.port}`, '-p', `${bed.port}`],
  ...more,
  'gondor@127.0.0.1',
];

const pinHostKey = (key = hostKey.publicKey): void =>
  writeFileSync(join(folder, 'known_hosts'), `[127.0.0.1]:${bed.port} ${key}\n`);

function makeKey(): string {
  const file = join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  return file;
}

const publicKeyIn = (text: string): Buffer => Buffer.from(text.split(' ')[1] ?? '', 'base64');

describe.skipIf(!hasOpenSsh)('OpenSSH', () => {
  test('AGENT-1: with a key of the cluster', async () => {
    const key = makeKey();
    keys = [publicKeyIn(readFileSync(`${key}.pub`, 'utf8'))];
    pinHostKey();
    start('ssh', openSsh('-i', key));
    await expectStreams();
  });

  test('with the token as the password', async () => {
    pinHostKey();
    const ask = join(folder, 'ask');
    writeFileSync(ask, `#!/bin/sh\necho ${bed.tokenOf('gondor').secret}\n`, { mode: 0o700 });
    start('ssh', openSsh(), { SSH_ASKPASS: ask, SSH_ASKPASS_REQUIRE: 'force' });
    await expectStreams();
  });

  test('AGENT-3: a key that is not the cluster’s', async () => {
    const key = makeKey();
    pinHostKey();
    start('ssh', openSsh('-i', key, '-o', 'BatchMode=yes'));
    await bed.until(() => bed.failedLogins.length > 0);
    expect(bed.failedLogins[0]).toMatchObject({ name: 'gondor', by: 'publickey' });
    expect(bed.server.agents.clusters).toEqual([]);
  });

  test('AGENT-4: requests for anything but its targets are refused', async () => {
    const key = makeKey();
    keys = [publicKeyIn(readFileSync(`${key}.pub`, 'utf8'))];
    pinHostKey();
    const args = openSsh('-i', key);
    const local = await Backend.start(() => {});
    const { port } = local;
    await local[Symbol.asyncDispose]();
    // If an option is given twice, the first one counts.
    const more = [
      '-o',
      'ExitOnForwardFailure=no',
      '-R',
      '8443:127.0.0.1:1',
      '-R',
      '/tmp/x:127.0.0.1:1',
      '-L',
      `${port}:127.0.0.1:${bed.port}`,
    ];
    start('ssh', [...more, ...args]);
    await bed.until(() => bed.connections('gondor').length === 1 && bed.refused.length >= 2);
    const socket = connect(port, '127.0.0.1');
    await closed(socket.resume());
    expect(bed.refused.map(({ what }) => what).toSorted()).toEqual([
      'channel direct-tcpip',
      'streamlocal-forward@openssh.com',
      'tcpip-forward',
    ]);
    expect(bed.refused[0]).toMatchObject({ cluster: 'gondor', address: '127.0.0.1' });
  });
});

describe.skipIf(!hasDropbear)('dropbear', () => {
  test('AGENT-1: with the token as the password', async () => {
    const forward = `kubernetes:443:127.0.0.1:${backend.port}`;
    start('dbclient', ['-N', '-T', '-y', '-R', forward, '-p', `${bed.port}`, 'gondor@127.0.0.1'], {
      DROPBEAR_PASSWORD: bed.tokenOf('gondor').secret,
    });
    await expectStreams();
  });
});
