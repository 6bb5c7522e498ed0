/** The product as a process of its own, started by its command line, with its embedded control plane. Needs nothing but Node. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Product extends AsyncDisposable {
  /** As in `https://127.0.0.1:8443`. */
  url: string;
  dataDir: string;
  /** Path. */
  adminKubeconfig: string;
  /** Path; what the process wrote. */
  log: string;
  /** Of the process that runs now. */
  readonly pid: number;
  /** Runs the command line against this product; never throws for its exit code. */
  fleet(...args: string[]): Promise<Ran>;
  signal(signal: NodeJS.Signals): void;
  /** Ends the process. Until it is started again nobody listens. */
  stop(signal: NodeJS.Signals): Promise<void>;
  /** At the same address, with the same data, and with more flags. Returns when it serves. */
  startAgain(...more: string[]): Promise<void>;
}

export const command = join(import.meta.dirname, '../../../packages/cli/src/fleet.mjs');

/** Never throws for the exit code. */
export const run = (path: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
    execFile(path, args, options, (error, stdout, stderr) => {
      const code = error ? error.code : 0;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(error!);
    });
  });

export interface ProductOptions {
  /** More flags of `fleet serve`. */
  flags?: readonly string[];
  /** Plants a known bug. */
  mutant?: Mutant;
  /** Flags of Node itself. */
  nodeFlags?: readonly string[];
  /** Begins with a copy of this data directory: its members are joined already. */
  copyOf?: string;
}

export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const { flags = [], nodeFlags = [], mutant, copyOf } = options;
  await using starting = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'fleet-simulated-'));
  starting.defer(() => rm(dataDir, { recursive: true }));
  if (copyOf !== undefined) await cp(copyOf, dataDir, { recursive: true });
  const planted = mutant ? asMutant(mutant) : { nodeFlags: [], env: {} };
  const log = join(dataDir, 'serve.log');
  const serve = (...more: string[]): ChildProcess => {
    const served = ['serve', '--data-dir', dataDir, '--listen', '127.0.0.1:0', ...flags, ...more];
    const started = spawn(process.execPath, [...nodeFlags, ...planted.nodeFlags, command, ...served], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...planted.env },
    });
    started.stderr!.pipe(createWriteStream(log, { flags: 'a' }));
    return started;
  };
  let child = serve();
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  starting.defer(() => stop('SIGTERM'));
  const { url, adminKubeconfig } = await untilServing(child);
  const running = starting.move();
  return {
    url,
    dataDir,
    adminKubeconfig,
    log,
    get pid() {
      return child.pid!;
    },
    fleet: (...args) => run(process.execPath, [command, ...args], { FLEET_KUBECONFIG: adminKubeconfig }),
    signal: (signal) => void child.kill(signal),
    stop,
    async startAgain(...more) {
      child = serve('--listen', new URL(url).host, ...more);
      await untilServing(child);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

interface Serving {
  url: string;
  adminKubeconfig: string;
}

/** Its last lines are kept for whoever asks why it ended. */
function untilServing(child: ChildProcess): Promise<Serving> {
  const { promise, resolve, reject } = Promise.withResolvers<Serving>();
  const seen: string[] = [];
  child.once('exit', (code) => reject(new Error(`fleet serve ended with ${code}:\n${seen.slice(-8).join('\n')}`)));
  createInterface(child.stderr!).on('line', (line) => {
    if (seen.push(line) > 100) seen.shift();
    const { msg, ...fields } = line.startsWith('{') ? (JSON.parse(line) as { msg?: string } & Serving) : {};
    if (msg === 'fleet is serving') resolve(fields as Serving);
  });
  return promise;
}

export const readCa = async ({ dataDir }: Product): Promise<{ cert: string; key: string }> => {
  const [cert, key] = await Promise.all(
    ['ca.crt', 'ca.key'].map((file) => readFile(join(dataDir, 'pki', file), 'utf8')),
  );
  return { cert: cert!, key: key! };
};
