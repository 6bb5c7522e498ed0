/** Serves `kubectl exec`: one command in a container, with or without a terminal. */

import type { CommandSession } from '@fleet/apiserver/connect/connector.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { Clock } from '../clock.ts';
import type { ContainerInstance } from '../nodes/running-pod.ts';
import { hashOf } from '../noise.ts';
import type { Container, Pod } from '../pods/pod.ts';
import { isTooLong } from './arguments.ts';
import type { ShellState, World } from './command.ts';
import { environmentOf } from './environment.ts';
import { couldHold } from './files.ts';
import { runInteractive } from './interactive.ts';
import { calledName, containerFiles, programs, shellNames, shellsOf } from './programs.ts';
import { runShell } from './run-shell.ts';
import { newBudget, type Run } from './shell.ts';
import { inputOf, writeTo } from './streams.ts';
import { Interrupted, Terminal } from './terminal.ts';
import { WrittenFiles } from './written-files.ts';

export interface Process {
  pod: Pod;
  container: Container;
  instance: ContainerInstance;
  clock: Clock;
  /** The container's main process, not a command of a client. */
  isOwnCommand?: boolean;
  onError(error: unknown): void;
}

/** Images that contain only their own program. */
const isBare = (image: string): boolean => image.includes('distroless') || image.includes('/pause');

/** Resolves with the exit code; throws the container runtime's error for a program that does not exist. */
export async function runCommand(process: Process, session: CommandSession): Promise<number> {
  const [word = '', ...args] = session.command;
  const name = nameOf(process, word);
  if (args.some(isTooLong)) throw startError(process, word, 'argument list too long');
  const { signal } = session;
  if (!session.tty) {
    const streams = {
      stdin: inputOf(session.stdin, signal),
      stdout: writeTo(session.stdout, signal),
      stderr: writeTo(session.stderr, signal),
    };
    return runProgram(process, name, args, { streams, signal, budget: newBudget() }, undefined);
  }
  const terminal = new Terminal(session);
  terminal.serve(session).catch((error: unknown) => {
    if (!signal.aborted) process.onError(error);
  });
  if (shellNames.includes(name) && args.every((one) => /^-[il]+$/.test(one))) {
    return runInteractive(terminal, shellOptions(process, name, terminal));
  }
  const streams = { stdin: terminal, stdout: terminal.write, stderr: terminal.write };
  try {
    return await terminal.inForeground((signal) =>
      runProgram(process, name, args, { streams, signal, budget: newBudget() }, terminal),
    );
  } catch (error) {
    if (error instanceof Interrupted) return 130;
    throw error;
  }
}

/** Built-ins of shells are not programs. */
export function canRun(image: string, word: string): boolean {
  const name = calledName(word) ?? '';
  return !isBare(image) && (programs.has(name) || shellsOf(image).includes(name));
}

/** Throws the container runtime's error for a program that does not exist. */
function nameOf(process: Process, word: string): string {
  if (canRun(process.container.image ?? '', word)) return calledName(word)!;
  const why = word.includes('/') ? `stat ${word}: no such file or directory` : 'executable file not found in $PATH';
  throw startError(process, word, why);
}

function startError({ instance }: Process, word: string, why: string): StatusError {
  const id = Array.from({ length: 8 }, (_, at) => hexOf(`${at}${instance.id}${word}`)).join('');
  return commandError(
    `failed to exec in container: failed to start exec "${id}": OCI runtime exec failed: exec failed: ` +
      `unable to start container process: exec: ${JSON.stringify(word)}: ${why}`,
  );
}

const hexOf = (text: string): string => hashOf(text).toString(16).padStart(8, '0');

const commandError = (why: string): StatusError => {
  const message = `error executing command in container: ${why}`;
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
};

function worldOf(
  { pod, container, instance, clock, isOwnCommand = false }: Process,
  terminal: Terminal | undefined,
): World {
  const rules = isOwnCommand ? { couldHold: couldHold(container) } : {};
  const files = new WrittenFiles(containerFiles(pod, container), rules);
  return { pod, container, startedAt: instance.startedAt, files, clock, terminal, isOwnCommand };
}

const shellOptions = (process: Process, name: string, terminal: Terminal | undefined) => ({
  name,
  args: [],
  environment: environmentOf(process.pod, process.container, terminal !== undefined),
  directory: process.container.workingDir || '/',
  world: worldOf(process, terminal),
});

async function runProgram(
  process: Process,
  name: string,
  args: readonly string[],
  run: Run,
  terminal: Terminal | undefined,
): Promise<number> {
  const options = shellOptions(process, name, terminal);
  const { environment, directory, world } = options;
  const program = programs.get(name);
  if (!program) return runShell(args, options, run);
  // A program has no shell state to change.
  const state: ShellState = {
    variables: new Map(),
    exported: new Set(),
    directory,
    status: 0,
    exitCode: undefined,
    isStrict: false,
    isTraced: false,
  };
  return program({ name, args, environment, state, world, signal: run.signal, ...run.streams });
}
