/** `fleet exec`: runs a command in a container and exits with its exit code. */

import { execute, type Streams, type TerminalSize } from '../exec/execute.ts';
import { Fleet } from '../fleet-location.ts';
import { containerOf, podPath, readPod } from '../pod.ts';

export interface ExecFlags {
  fleetKubeconfig?: string;
  container?: string;
  namespace?: string;
  stdin?: boolean;
  tty?: boolean;
}

const print = (text: string): void => void process.stderr.write(`${text}\n`);

export async function runExec(name: string, command: readonly string[], flags: ExecFlags): Promise<void> {
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  const upstream = fleet.view();
  const { signal } = new AbortController();
  const podAt = podPath(name, flags.namespace ?? fleet.namespace);
  const pod = await readPod(upstream, podAt, signal);
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') {
    throw new Error(`cannot exec into a container in a completed pod; current phase is ${phase}`);
  }
  const container = containerOf(pod, flags.container, print);
  const stdin = flags.stdin ?? false;
  // As kubectl: a terminal needs input from one.
  const tty = stdin && Boolean(flags.tty) && process.stdin.isTTY;
  if (stdin && flags.tty && !tty) print('Unable to use a TTY - input is not a terminal or the right kind of file');
  const path = `${podAt}/exec?${queryOf(command, { container, stdin, tty })}`;
  try {
    using _ = tty ? rawTerminal() : undefined;
    const code = await execute(upstream, { path, signal }, streamsOf(stdin, tty));
    if (code !== 0) print(`command terminated with exit code ${code}`);
    process.exitCode = code;
  } finally {
    // Else a terminal, or a pipe that stays open, would keep the process.
    if (stdin) process.stdin.destroy();
  }
}

interface ExecOptions {
  container: string;
  stdin: boolean;
  tty: boolean;
}

/** PodExecOptions. With a terminal there is one output. */
export function queryOf(command: readonly string[], { container, stdin, tty }: ExecOptions): URLSearchParams {
  const query = new URLSearchParams(command.map((word) => ['command', word]));
  query.set('container', container);
  if (stdin) query.set('stdin', 'true');
  query.set('stdout', 'true');
  if (tty) query.set('tty', 'true');
  else query.set('stderr', 'true');
  return query;
}

const streamsOf = (stdin: boolean, tty: boolean): Streams => ({
  stdin: stdin ? process.stdin : undefined,
  stdout: (chunk) => process.stdout.write(chunk),
  stderr: (chunk) => process.stderr.write(chunk),
  onResize: tty ? followSize : undefined,
});

/** Every key reaches the command, Ctrl-C too. */
function rawTerminal(): Disposable {
  process.stdin.setRawMode(true);
  return { [Symbol.dispose]: () => void process.stdin.setRawMode(false) };
}

function followSize(onSize: (size: TerminalSize) => void): () => void {
  const report = () => onSize({ width: process.stdout.columns, height: process.stdout.rows });
  if (process.stdout.isTTY) report();
  process.stdout.on('resize', report);
  return () => process.stdout.off('resize', report);
}
