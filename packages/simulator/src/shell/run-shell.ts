/** Runs `sh`: `-c script`, or line by line from its input. */

import { Pace } from '@fleet/client/pace.ts';
import { nextTurn } from '@fleet/client/turns.ts';
import { shellArguments } from './arguments.ts';
import { newBudget, type Run, type RunShell, Shell, type ShellOptions } from './shell.ts';
import { Lines } from './streams.ts';
import { SyntaxFault } from './syntax.ts';

const mostContinued = 40;
/** In bytes. */
const longestContinued = 64 * 1024;

/** A multi-line command is parsed again from its first line with each new line. */
export const canContinue = (lines: readonly string[]): boolean =>
  lines.length < mostContinued &&
  lines.reduce((size, line) => size + Buffer.byteLength(line) + 1, 0) <= longestContinued;

export const runShell: RunShell = async (args, options, run) => {
  const { script, rest, fault, ...called } = shellArguments(args);
  const { stderr } = run.streams;
  if (fault) return refused(options, stderr, fault);
  if (script === undefined && rest.length > 0) return refused(options, stderr, `can't open '${rest[0]}': No such file`);
  const [name = options.name, ...more] = rest;
  const shell = new Shell({ ...options, ...called, name, args: more }, runShell);
  return script === undefined ? runLines(shell, options, run) : runScript(shell, script, options, run);
};

/** A syntax error ends a script. */
async function runScript(shell: Shell, script: string, options: ShellOptions, run: Run): Promise<number> {
  try {
    return await shell.run(script, run);
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
    return refused(options, run.streams.stderr, fault.message);
  }
}

async function refused({ name }: ShellOptions, stderr: Run['streams']['stderr'], why: string): Promise<number> {
  await stderr(`${name}: ${why}\n`);
  return 2;
}

/** Each line is run before the next is read: a command may read the script's input. */
async function runLines(shell: Shell, options: ShellOptions, { streams, signal }: Run): Promise<number> {
  const lines = new Lines(streams.stdin);
  const run = { streams: { ...streams, stdin: lines }, signal };
  let held: string[] = [];
  const pace = new Pace();
  for (;;) {
    // Lines without a command do not yield, and there may be very many.
    if (pace.isDue) await pace.rest();
    signal.throwIfAborted();
    let line: string | undefined;
    try {
      line = await lines.line();
    } catch (fault) {
      if (!(fault instanceof RangeError)) throw fault;
      return refused(options, streams.stderr, fault.message);
    }
    if (line !== undefined) held.push(line);
    try {
      await shell.run(held.join('\n'), { ...run, budget: newBudget() });
    } catch (fault) {
      if (!(fault instanceof SyntaxFault)) throw fault;
      if (!fault.isIncomplete || line === undefined) return refused(options, streams.stderr, fault.message);
      if (!canContinue(held)) return refused(options, streams.stderr, 'command too long');
      // Yields before all of it is parsed again.
      await nextTurn();
      continue;
    }
    held = [];
    if (shell.state.exitCode !== undefined) return shell.state.exitCode;
    if (line === undefined) return shell.state.status;
  }
}
