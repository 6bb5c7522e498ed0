/** `fleet agent` as a process of its own, between a tunnel server and a simulated member. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secure, secureContextOf } from '@fleet/client/dial.ts';
import { startCluster } from '@fleet/simulator/start-cluster.ts';
import type { AgentCredentials } from '@fleet/tunnel/control-messages.ts';
import { Backend, echo, TunnelBed, textOf } from '@fleet/tunnel/testing/tunnel-bed.ts';
import { formatToken } from '@fleet/tunnel/token.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProgram } from '../program.ts';

let folder: string;
let bed: TunnelBed;
let handed: { cluster: string; credentials: AgentCredentials }[];
let running: ChildProcess | undefined;
let output: string;

/** In milliseconds: two processes start and load the product. */
const patience = 60_000;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-agent-'));
  handed = [];
  output = '';
  bed = await TunnelBed.start({
    credentials: async ({ cluster }, credentials) => void handed.push({ cluster, credentials }),
  });
  await writeFile(join(folder, 'token'), `${formatToken(bed.tokenOf('gondor'))}\n`);
});

afterEach(async () => {
  if (running && running.exitCode === null) {
    running.kill('SIGKILL');
    await once(running, 'close');
  }
  running = undefined;
  await bed[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function start(args: string[], env: Record<string, string> = {}): ChildProcess {
  const command = [join(import.meta.dirname, '../fleet.mjs'), 'agent', '--server', `https://127.0.0.1:${bed.port}`];
  const { PATH = '', TMPDIR = tmpdir() } = process.env;
  running = spawn(process.execPath, [...command, '--token-file', join(folder, 'token'), ...args], {
    env: { PATH, TMPDIR, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.stderr!.on('data', (text: Buffer) => {
    output += text.toString();
  });
  return running;
}

const lines = () =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string; msg: string });

async function terminated(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

test(
  'AGENT-1, AGENT-10: with a kubeconfig it makes the accounts, hands over their tokens, and leads to the API server',
  async () => {
    await using member = await startCluster({ name: 'gondor', factor: 10, onError: () => {} });
    await writeFile(join(folder, 'kubeconfig'), member.kubeconfig);
    const kinds = ['--federation-kinds', 'configmaps'];
    const child = start(['--name', 'gondor', '--kubeconfig', join(folder, 'kubeconfig'), ...kinds]);
    await bed.until(() => bed.connections('gondor').length === 2 && handed.length > 0);
    const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles/fleet:federation';
    expect(await member.client.get(role)).toMatchObject({ rules: [{ resources: ['configmaps', 'namespaces'] }] });
    const [{ cluster, credentials }] = handed as [(typeof handed)[0]];
    expect(cluster).toBe('gondor');

    const signal = AbortSignal.timeout(10_000);
    const tls = { ca: credentials.caBundle };
    const stream = await bed.dial('gondor', 'interactive');
    const secured = await secure(stream, { host: '127.0.0.1', port: 443 }, tls, secureContextOf(tls), signal);
    const answer = textOf(secured);
    const head = `GET /readyz HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${credentials.controlToken}\r\nconnection: close\r\n\r\n`;
    secured.write(head);
    expect(await answer).toMatch(/^HTTP\/1.1 200/);

    expect(await terminated(child)).toBe(0);
    expect(lines().map(({ msg }) => msg)).toContain('credentials are stored');
    for (const secret of [credentials.controlToken, credentials.impersonatorToken, bed.tokenOf('gondor').secret])
      expect(output).not.toContain(secret);
  },
  patience,
);

test(
  'AGENT-10: in a pod it hands over what is mounted, and again what changes',
  async () => {
    await using backend = await Backend.start(echo);
    const mounted = join(folder, 'mounted');
    for (const account of ['control', 'impersonator']) {
      await mkdir(join(mounted, account), { recursive: true });
      await writeFile(join(mounted, account, 'token'), `${account}-1`);
      await writeFile(join(mounted, account, 'ca.crt'), 'CA');
    }
    const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: `${backend.port}` };
    const child = start(['--credentials', mounted], env);
    await bed.until(() => handed.length === 1);
    expect(handed[0]?.credentials).toEqual({
      controlToken: 'control-1',
      impersonatorToken: 'impersonator-1',
      caBundle: 'CA',
    });
    await writeFile(join(mounted, 'control/token'), 'control-2');
    await bed.until(() => handed.length === 2);
    expect(handed[1]?.credentials.controlToken).toBe('control-2');
    const stream = await bed.dial('gondor');
    const text = textOf(stream);
    stream.end('hello');
    expect(await text).toBe('hello');
    expect(await terminated(child)).toBe(0);
  },
  patience,
);

describe('called wrongly', () => {
  const run = (...args: string[]) => createProgram().parseAsync(['agent', ...args], { from: 'user' });
  const token = () => ['--token-file', join(folder, 'token')];

  test.each([
    [[], 'needs the address of the fleet'],
    [['--server', 'https://f'], 'needs a token'],
    [['--server', 'f:8443', '--token-file', 'x'], 'which has the form https://host:port'],
    [['--server', 'https://f', '--token-file', 'x', '--transport', 'udp'], '--transport takes auto, ssh, websocket'],
    [['--server', 'https://f', '--token-file', 'x', '--log-level', 'all'], '--log-level takes'],
    [['--server', 'https://f', '--token-file', 'x', '--proxy', 'ftp://p'], '--proxy takes an http'],
    [['--server', 'https://f', '--token-file', 'x', '--metrics-listen', 'x'], 'is not an address such as'],
    [['--server', 'https://f', '--token-file', '/nowhere/x'], 'the token file /nowhere/x does not exist'],
  ])('%j', (args, message) => expect(run(...args)).rejects.toThrow(message));

  test('the name of another cluster than the token is for', async () => {
    const wrong = run('--server', 'https://f', ...token(), '--name', 'rohan');
    await expect(wrong).rejects.toThrow('--name is "rohan", but the token is for cluster "gondor"');
  });

  test('a file that holds something else is not quoted', async () => {
    await writeFile(join(folder, 'token'), 'hunter2');
    const wrong = run('--server', 'https://f', ...token());
    await expect(wrong).rejects.toSatisfy(({ message }) => message === `${join(folder, 'token')} holds no agent token`);
  });

  test('outside a pod without a kubeconfig', async () => {
    await expect(run('--server', 'https://f', ...token())).rejects.toThrow('needs a kubeconfig of the member');
  });

  test('a kubeconfig that leads through a proxy', async () => {
    const file = join(folder, 'kubeconfig');
    await writeFile(
      file,
      JSON.stringify({
        'current-context': 'x',
        clusters: [{ name: 'x', cluster: { server: 'https://m:6443', 'proxy-url': 'http://p:3128' } }],
        contexts: [{ name: 'x', context: { cluster: 'x', user: '' } }],
      }),
    );
    await expect(run('--server', 'https://f', ...token(), '--kubeconfig', file)).rejects.toThrow('by a proxy');
  });
});
