/** Runs the `fleet` command. Exit codes: 0 success, 1 error, 2 wrong usage, 130 after Ctrl-C. */

import { type Command, CommanderError } from 'commander';
import { describe, exitCodeOf } from './errors.ts';
import { createProgram } from './program.ts';

/** What a command leaves behind, such as a credential plugin that hangs, must not keep the process. Output is written by then. */
const leaveWithin = 2_000;

/** Whoever reads the output has seen enough, as `head` has, or closed the terminal: the exit code of a process that SIGPIPE ends. */
const brokenPipe = 141;
const isUnread = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'EIO';
process.stdout.on('error', (error) => {
  if (isUnread(error)) process.exit(brokenPipe);
  throw error;
});
// What was begun is brought to an end, though nobody reads that it is.
process.stderr.on('error', (error) => {
  if (!isUnread(error)) throw error;
});

const program = createProgram();
withAll(program, (command) => command.exitOverride().showSuggestionAfterError());
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed it already, also help and version.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(`error: ${describe(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}
setTimeout(() => process.exit(), leaveWithin).unref();

function withAll(command: Command, act: (command: Command) => void): void {
  act(command);
  for (const below of command.commands) withAll(below, act);
}
