/** An interactive shell: prompts, continued lines, Ctrl-C and Ctrl-D. */

import { hostnameOf } from '../pods/pod.ts';
import { parseScript } from './parser.ts';
import { canContinue, runShell } from './run-shell.ts';
import { newBudget, Shell, type ShellOptions } from './shell.ts';
import { SyntaxFault } from './syntax.ts';
import { Interrupted, type Terminal } from './terminal.ts';

const interruptedStatus = 130;

export async function runInteractive(terminal: Terminal, options: ShellOptions): Promise<number> {
  const shell = new Shell(options, runShell);
  const { state } = shell;
  for (;;) {
    let script: string | undefined;
    try {
      script = await readCommand(terminal, options, state.directory);
      if (script === undefined) {
        await terminal.write('exit\n');
        return state.status;
      }
      await runLine(shell, terminal, script);
    } catch (fault) {
      if (fault instanceof Interrupted) state.status = interruptedStatus;
      else if (!(fault instanceof SyntaxFault)) throw fault;
      else {
        await terminal.write(`${options.name}: ${fault.message}\n`);
        state.status = 2;
      }
    }
    if (state.exitCode !== undefined) return state.exitCode;
  }
}

/** A command with its continuation lines; undefined at the end of the input. */
async function readCommand(terminal: Terminal, options: ShellOptions, directory: string): Promise<string | undefined> {
  await terminal.write(promptOf(options, directory));
  const first = await terminal.line();
  if (first === undefined) return undefined;
  const lines = [first];
  while (isIncomplete(lines)) {
    if (!canContinue(lines)) throw new SyntaxFault('command too long');
    await terminal.write('> ');
    const next = await terminal.line();
    if (next === undefined) break;
    lines.push(next);
  }
  return lines.join('\n');
}

function isIncomplete(lines: readonly string[]): boolean {
  try {
    parseScript(lines.join('\n'));
    return false;
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
    return fault.isIncomplete;
  }
}

async function runLine(shell: Shell, terminal: Terminal, script: string): Promise<void> {
  const streams = { stdin: terminal, stdout: terminal.write, stderr: terminal.write };
  await terminal.inForeground((signal) => shell.run(script, { streams, signal, budget: newBudget() }));
}

function promptOf({ name, world }: ShellOptions, directory: string): string {
  const user = world.pod.spec.securityContext?.runAsUser ?? 0;
  const sign = user === 0 ? '#' : '$';
  if (name !== 'bash') return `${directory} ${sign} `;
  return `${user === 0 ? 'root' : user}@${hostnameOf(world.pod)}:${directory}${sign} `;
}
