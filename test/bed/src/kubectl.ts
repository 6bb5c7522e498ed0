import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { kubectlPath, type VersionName } from './binaries.ts';
import { markedEnv } from './run-mark.ts';

export interface KubectlResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface KubectlOptions {
  stdin?: string | Uint8Array;
  cwd?: string;
  /** Beside the runner's own, such as KUBE_EDITOR. */
  env?: NodeJS.ProcessEnv;
}

export interface KubectlSpec {
  version: VersionName;
  kubeconfig: string;
  folder: string;
  run: string;
}

/** A kubectl that goes on until it is ended. */
export type Kubectl = ChildProcessByStdio<Writable, Readable, Readable>;

export function startKubectl(spec: KubectlSpec, args: readonly string[], { cwd, env }: KubectlOptions = {}): Kubectl {
  return spawn(kubectlPath(spec.version), ['--kubeconfig', spec.kubeconfig, ...args], {
    cwd: cwd ?? spec.folder,
    // its cache must not be shared between members, nor be left behind
    env: { ...markedEnv(spec.run), KUBECACHEDIR: `${spec.folder}/kubectl-cache`, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export async function runKubectl(
  spec: KubectlSpec,
  mixed: readonly (string | KubectlOptions)[],
): Promise<KubectlResult> {
  const args = mixed.filter((argument) => typeof argument === 'string');
  const options = Object.assign({}, ...mixed.filter((option) => typeof option !== 'string')) as KubectlOptions;
  const child = startKubectl(spec, args, options);
  // one that does not read its input may be gone before it has all
  child.stdin.on('error', () => child.stdin.destroy());
  child.stdin.end(options.stdin);
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code: code ?? -1, stdout, stderr };
}
