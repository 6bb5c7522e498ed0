/** konnectivity, through which kube-apiserver reaches nodes: its server in http-connect mode, and its agent beside the member. */

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Binary, binaryPath, konnectivity } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import { Child } from '@fleet/bed/child.ts';
import { createAuthority } from '@fleet/bed/pki.ts';
import { freePort, givePortBack } from '@fleet/bed/ports.ts';
import { until } from '@fleet/bed/until.ts';

export interface OtherTunnel extends AsyncDisposable {
  /** Where the product dials, if not the member's address. */
  apiEndpoint?: string;
  proxyURL?: string;
  /** PEM; to be trusted beside the member's. */
  ca?: string;
  /** Of the agent's process. */
  pid: number;
}

const pathOf = (name: string): string => binaryPath(konnectivity.find((one) => one.name === name) as Binary);

/** TLS everywhere: over TCP its frontend knows nothing else. */
export async function startKonnectivity(): Promise<OtherTunnel> {
  await build(konnectivity);
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'fleet-bench-konnectivity-'));
  stack.defer(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'logs'));
  const port = async () => {
    const free = await freePort();
    stack.defer(() => givePortBack(free));
    return free;
  };
  const authority = await createAuthority('konnectivity CA');
  const pair = await authority.issue({ name: 'konnectivity', ips: ['127.0.0.1'] });
  const files = { 'ca.crt': authority.cert, 'tls.crt': pair.cert, 'tls.key': pair.key };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
  const [frontend, agents, health] = [await port(), await port(), await port()];
  const run = randomUUID();
  const start = (name: string, args: string[]) => {
    const child = new Child({ name, path: pathOf(name), args: [...args, '--v=0'], folder, run });
    stack.defer(() => child.end('SIGKILL'));
    return child;
  };
  const server = start('proxy-server', [
    ...['--mode=http-connect', '--server-bind-address=127.0.0.1', '--agent-bind-address=127.0.0.1'],
    ...[`--server-port=${frontend}`, `--agent-port=${agents}`, `--admin-port=${await port()}`],
    ...['--health-bind-address=127.0.0.1', `--health-port=${health}`, '--cluster-ca-cert=ca.crt'],
    ...['--server-cert=tls.crt', '--server-key=tls.key', '--cluster-cert=tls.crt', '--cluster-key=tls.key'],
  ]);
  const agent = start('proxy-agent', [
    ...['--proxy-server-host=127.0.0.1', `--proxy-server-port=${agents}`, `--admin-server-port=${await port()}`],
    ...['--health-server-host=127.0.0.1', `--health-server-port=${await port()}`],
    ...['--ca-cert=ca.crt', '--agent-cert=tls.crt', '--agent-key=tls.key'],
  ]);
  // Ready once an agent is connected.
  const isReady = async () => (await fetch(`http://127.0.0.1:${health}/readyz`)).ok;
  await until('konnectivity is ready', isReady, { failed: Promise.race([server.ended, agent.ended]) });
  const running = stack.move();
  return {
    proxyURL: `https://127.0.0.1:${frontend}`,
    ca: authority.cert,
    pid: agent.pid,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
