/** `fleet agent` as a process of its own, that can be killed and stopped, beside a simulated cluster. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';
import { until } from '@fleet/bed/until.ts';
import { writePrivate } from '@fleet/client/private-file.ts';
import { type AgentToken, formatToken } from '@fleet/tunnel/token.ts';
import { command, type Product } from './product.ts';

export interface AgentProcess extends AsyncDisposable {
  pid: number;
  /** Path; what the process wrote. */
  log: string;
  /** Its log, and the messages in it. */
  lines: string[];
  messages: string[];
  /** How often one of its connections was there. */
  readonly connections: number;
  /** Waits until so many connections were there, from the first on. */
  connected(times: number): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Ends the process, if it runs. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

export interface AgentProcessOptions {
  /** Of `fleet join --agent`. */
  tokenFile: string;
  /** YAML. */
  kubeconfig: string;
  /** Where it dials, as in `https://127.0.0.1:8443`. */
  server: string;
  /** More flags of `fleet agent`. */
  flags?: readonly string[];
  nodeFlags?: readonly string[];
  mutant?: Mutant | undefined;
  env?: NodeJS.ProcessEnv;
}

/** Returns the path. */
export async function writeToken(folder: string, token: AgentToken): Promise<string> {
  const path = join(folder, 'agent.token');
  await writePrivate(path, `${formatToken(token)}\n`);
  return path;
}

export async function startAgentProcess(options: AgentProcessOptions): Promise<AgentProcess> {
  const { tokenFile, kubeconfig, server, flags = [], nodeFlags = [], mutant, env = {} } = options;
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'fleet-agent-'));
  starting.defer(() => rm(folder, { recursive: true }));
  const path = join(folder, 'member.kubeconfig');
  await writePrivate(path, kubeconfig);
  const planted = mutant ? asMutant(mutant) : { nodeFlags: [], env: {} };
  const args = ['agent', '--server', server, '--token-file', tokenFile, '--kubeconfig', path, ...flags];
  const child = spawn(process.execPath, [...planted.nodeFlags, ...nodeFlags, command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...planted.env, ...env },
  });
  const log = join(folder, 'agent.log');
  child.stderr.pipe(createWriteStream(log));
  const lines: string[] = [];
  const messages: string[] = [];
  let connections = 0;
  createInterface(child.stderr).on('line', (line) => {
    const { msg } = line.startsWith('{') ? (JSON.parse(line) as { msg: string }) : { msg: line };
    if (msg.endsWith('connection is established')) connections++;
    lines.push(line);
    messages.push(msg);
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (hasEnded()) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    // One that is stopped takes no signal but this one.
    child.kill('SIGCONT');
    await ended;
  };
  starting.defer(() => stop('SIGKILL'));
  const running = starting.move();
  return {
    pid: child.pid!,
    log,
    lines,
    messages,
    get connections() {
      return connections;
    },
    connected: async (times) => {
      const isThere = () => {
        if (hasEnded()) throw new Error(`fleet agent ended:\n${messages.slice(-8).join('\n')}`);
        return connections >= times;
      };
      await until(`${times} connections of an agent`, isThere);
    },
    signal: (signal) => void child.kill(signal),
    stop,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Registers a cluster by the command line. Returns the path of the token. */
export async function joinByAgent(
  { product, folder }: { product: Pick<Product, 'fleet'>; folder: string },
  name: string,
): Promise<string> {
  const tokenFile = join(folder, `${name}.token`);
  const { code, stderr } = await product.fleet('join', name, '--agent', '--token-file', tokenFile);
  if (code !== 0) throw new Error(`fleet join ${name} --agent: ${stderr}`);
  return tokenFile;
}
