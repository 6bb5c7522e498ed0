/** The interface of commands: a program of the container, or a built-in of the shell. */

import type { TerminalSize } from '@fleet/apiserver/connect/connector.ts';
import type { Clock } from '../clock.ts';
import type { Container, Pod } from '../pods/pod.ts';
import type { Streams } from './streams.ts';
import type { WrittenFiles } from './written-files.ts';

/** The environment that all commands of a session share. */
export interface World {
  pod: Pod;
  container: Container;
  /** When the container was started, in milliseconds. */
  startedAt: number;
  files: WrittenFiles;
  clock: Clock;
  /** Undefined without a terminal. */
  terminal: { size: TerminalSize } | undefined;
  /**
   * It is the container's own command. The image may contain more than is known here: unknown programs succeed and write
   * nothing, consistent with the computed lifetime.
   */
  isOwnCommand: boolean;
}

/** The state of the shell that a command may change. */
export interface ShellState {
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  directory: string;
  /** The exit status of the last command. */
  status: number;
  /** Set by `exit`: no further command is run. */
  exitCode: number | undefined;
  /** `set -e` and `set -x`. */
  isStrict: boolean;
  isTraced: boolean;
}

export interface Invocation extends Streams {
  /** The name by which it was called. */
  name: string;
  args: readonly string[];
  /** The exported variables. */
  environment: ReadonlyMap<string, string>;
  state: ShellState;
  world: World;
  /** Aborted by Ctrl-C, and when the client is gone. */
  signal: AbortSignal;
}

/** Returns its exit code. */
export type Command = (invocation: Invocation) => Promise<number>;

/** Writes an error message, and fails. */
export async function fail({ name, stderr }: Invocation, why: string, code = 1): Promise<number> {
  await stderr(`${name}: ${why}\n`);
  return code;
}
