/**
 * Stock clients as agents of the whole product, started by what `fleet agent ssh-command` prints, and the product's agent through
 * proxies that know one thing only (AGENT-1, AGENT-2). Needs ssh, dbclient and kubectl, but no clusters.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startWebSocketProxy } from '@fleet/agent/testing/web-socket-front.ts';
import { kubectlPath, kubernetes } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { until } from '@fleet/bed/until.ts';
import { writePrivate } from '@fleet/client/private-file.ts';
import { startConnectProxy } from '@fleet/client/testing/proxies.ts';
import { type SimulatedCluster, startCluster } from '@fleet/simulator/start-cluster.ts';
import { type AgentToken, parseToken } from '@fleet/tunnel/token.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAgentProcess, writeToken } from './src/agent-process.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { expectInUse } from './src/member-in-use.ts';
import { command, readCa } from './src/product.ts';
import { requestAs } from './src/request.ts';

const owned = new AsyncDisposableStack();
let fleet: SimulatedFleet;
let gondor: SimulatedCluster;
let token: AgentToken;
let env: NodeJS.ProcessEnv;

/** A shell in the fleet's folder; what it started ends with it. */
function shell(text: string): AsyncDisposable & { child: ChildProcess; output: () => string } {
  const child = spawn('sh', ['-e', '-c', text], {
    cwd: fleet.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      output += piece.toString();
    });
  const ended = once(child, 'close');
  return {
    child,
    output: () => output,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM');
      await ended;
    },
  };
}

const unreached = () =>
  until('gondor has no agent', async () => {
    const { status, body } = await requestAs(await fleet.config(), '/clusterspaces/gondor/version');
    return status === 503 && /no agent of it is connected/.test(JSON.stringify(body));
  });

const printed = async (...flags: string[]): Promise<string> => {
  const args = [
    'agent',
    'ssh-command',
    'gondor',
    '--server',
    fleet.product.url,
    '--target',
    `127.0.0.1:${gondor.port}`,
  ];
  const { code, stdout, stderr } = await fleet.product.fleet(...args, ...flags);
  if (code !== 0) throw new Error(stderr);
  return stdout;
};

beforeAll(async () => {
  await build([kubernetes('kubectl')]);
  fleet = owned.use(await startFleet({ members: [] }));
  gondor = owned.use(await startCluster({ name: 'gondor', factor: 100, onError: (error) => console.error(error) }));
  const file = (name: string) => join(fleet.folder, name);
  const joined = await fleet.product.fleet('join', 'gondor', '--agent', '--token-file', file('gondor.token'));
  if (joined.code !== 0) throw new Error(joined.stderr);
  token = parseToken(await readFile(file('gondor.token'), 'utf8'));
  await writePrivate(file('member'), gondor.kubeconfig);
  const karmada = await fleet.product.fleet('kubeconfig', '--cluster', 'karmada', '--output', file('karmada'));
  if (karmada.code !== 0) throw new Error(karmada.stderr);
  // As an operator has it: the commands that the script names, and two kubeconfigs.
  await mkdir(file('bin'));
  await writeFile(file('bin/fleet'), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`, { mode: 0o755 });
  env = {
    PATH: [file('bin'), dirname(kubectlPath()), process.env['PATH']].join(':'),
    HOME: fleet.folder,
    FLEET_KUBECONFIG: fleet.product.adminKubeconfig,
    KARMADA: file('karmada'),
    MEMBER: file('member'),
  };
});
afterAll(() => owned.disposeAsync());

describe('AGENT-1: a stock client', () => {
  it('OpenSSH, by the script as it is printed', async () => {
    await using agent = shell(await printed());
    await expectInUse(fleet, gondor, 'gondor').catch((cause: unknown) => {
      throw new Error(agent.output(), { cause });
    });
    const path = '/apis/cluster.kubesphere.io/v1alpha1/agents/gondor';
    const { spec } = await fleet.controlPlane.get<{ spec: { publicKeys: string[] } }>(path);
    expect(spec.publicKeys).toEqual([(await readFile(join(fleet.folder, 'gondor.key.pub'), 'utf8')).trim()]);
  });

  it('OpenSSH again, with the key that is registered: the script leaves out what is done', async () => {
    await unreached();
    const script = await printed('--identity-file', join(fleet.folder, 'gondor.key'));
    expect(script).toContain('is registered for gondor');
    expect(script).not.toContain('ssh-keygen');
    await using _agent = shell(script);
    await expectInUse(fleet, gondor, 'gondor');
  });

  it('AGENT-3: OpenSSH does not log in to a server with another host key', async () => {
    await unreached();
    const script = await printed('--identity-file', join(fleet.folder, 'gondor.key'));
    const other = 'AAAAC3NzaC1lZDI1NTE5AAAAIBcY0jcMbiNvZ0uZhhGJ8wlJ4ZcZ2y6BvTQ5iZQpbv0y';
    await using agent = shell(script.replace(/(?<=ssh-ed25519 )AAAA\S+/, other));
    await once(agent.child, 'close');
    expect(agent.output()).toContain('Host key verification failed');
    await unreached();
  });

  it('dropbear, with the token as the password and the host key of the script', async () => {
    const key = /^\[127\.0\.0\.1\]:\d+ (ssh-ed25519 \S+)$/m.exec(await printed())![1]!;
    await mkdir(join(fleet.folder, '.ssh'), { mode: 0o700 });
    // It knows hosts without their ports.
    await writeFile(join(fleet.folder, '.ssh/known_hosts'), `127.0.0.1 ${key}\n`);
    env['DROPBEAR_PASSWORD'] = token.secret;
    const { port } = new URL(fleet.product.url);
    const target = `127.0.0.1:${gondor.port}`;
    await using agent = shell(`exec dbclient -N -T -R kubernetes:443:${target} -p ${port} gondor@127.0.0.1`);
    await expectInUse(fleet, gondor, 'gondor').catch((cause: unknown) => {
      throw new Error(agent.output(), { cause });
    });
  });
});

describe('AGENT-2: the product’s agent', () => {
  it('through a proxy that knows CONNECT only, and alone knows where the fleet is', async () => {
    await unreached();
    await using proxy = await startConnectProxy(undefined, undefined, { 'fleet.test': '127.0.0.1' });
    const { port } = new URL(fleet.product.url);
    await using _agent = await startAgentProcess({
      server: `https://fleet.test:${port}`,
      tokenFile: await writeToken(fleet.folder, token),
      kubeconfig: gondor.kubeconfig,
      env: { HTTPS_PROXY: `http://${proxy.address}`, NO_PROXY: '' },
    });
    await expectInUse(fleet, gondor, 'gondor');
    expect(new Set(proxy.targets)).toEqual(new Set([`fleet.test:${port}`]));
  });

  it('through a balancer that ends TLS and knows WebSockets only', async () => {
    await unreached();
    const { cert } = await readCa(fleet.product);
    const port = Number(new URL(fleet.product.url).port);
    await using balancer = await startWebSocketProxy({ port, ca: cert });
    await writeFile(join(fleet.folder, 'balancer.crt'), balancer.ca);
    await using _agent = await startAgentProcess({
      server: `https://localhost:${balancer.port}`,
      tokenFile: await writeToken(fleet.folder, token),
      kubeconfig: gondor.kubeconfig,
      flags: ['--certificate-authority', join(fleet.folder, 'balancer.crt')],
    });
    await expectInUse(fleet, gondor, 'gondor');
    expect(new Set(balancer.upgrades)).toEqual(new Set(['/fleet/agent']));
    // SSH was tried first, which it does not know.
    expect(balancer.refused).toBeGreaterThan(0);
  });
});
