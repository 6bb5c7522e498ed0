/** `fleet demo` as a process, as people run it: without kubectl in the PATH. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { command, run } from './product.ts';

/** Removed when the file's tests have ended. */
export let folder: string;
/** Without kubectl. */
export let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-demos-'));
  path = join(folder, 'bin');
  await mkdir(path);
  await symlink('/bin/sh', join(path, 'sh'));
});

afterAll(() => rm(folder, { recursive: true }));

export const start = (...flags: string[]): ChildProcess => startWith(path, flags);

/** With whatever is in the PATH of the tests. */
export const startWithKubectl = (...flags: string[]): ChildProcess => startWith(process.env['PATH']!, flags);

function startWith(searched: string, flags: string[]): ChildProcess {
  const demo = spawn(process.execPath, [command, 'demo', ...flags], {
    env: { ...process.env, PATH: searched },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void demo.kill('SIGINT'));
  return demo;
}

const unquoted = (word: string): string => word.replace(/^'(.*)'$/, '$1');

export interface Exports {
  kubeconfig: string;
  bin: string;
}

/** The environment variables that it prints. */
export async function exportsOf({ stdout }: ChildProcess): Promise<Exports> {
  let printed = '';
  for await (const chunk of stdout!.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    const [, kubeconfig, bin] = /^export KUBECONFIG=(.+)\nexport PATH=(.+):\$PATH$/m.exec(printed) ?? [];
    if (kubeconfig && bin) return { kubeconfig: unquoted(kubeconfig), bin: unquoted(bin) };
  }
  throw new Error(`the demo ended: ${printed}`);
}

export async function end(demo: ChildProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
  demo.stdout?.resume();
  demo.kill(signal);
  const [code] = (await once(demo, 'exit')) as [number | null];
  return code;
}

/** One command, as the tour has it. */
export const fleet = ({ kubeconfig, bin }: Exports, ...args: string[]) =>
  run(join(bin, 'fleet'), args, { KUBECONFIG: kubeconfig, PATH: `${bin}${delimiter}${path}` });
