/** The exit codes of commands that do not change their shell, and the part of their output that matters. */

import { calculated } from '../shell/commands/calculation.ts';
import { holds, pathsOf } from '../shell/commands/conditions.ts';
import { changeFiles, type FileCommand, fileCommands } from '../shell/commands/file-changes.ts';
import { resolvePath } from '../shell/files.ts';
import { builtIns, programs } from '../shell/programs.ts';
import type { Run } from './behaviour.ts';
import { endsWith, programRun, shortly } from './program-run.ts';
import type { ScriptProgress } from './script-world.ts';

export interface CommandContext {
  progress: ScriptProgress;
  directory: string;
  lookup(name: string): string | undefined;
  /** Standard output. */
  write(text: string): void;
}

/** The output of an unknown program. Files may contain it; their contents are not examined. */
export const unknownOutput = '\0';

export function commandStatus(name: string, args: readonly string[], context: CommandContext): number {
  if ((fileCommands as readonly string[]).includes(name)) {
    context.progress.seconds += shortly;
    let code = 0;
    // Each source becomes a path in the target.
    const within = name === 'cp' || name === 'mv' ? (args.at(-1) ?? '') : '';
    for (const fault of changeFiles(name as FileCommand, args, context.directory, context.progress.files)) {
      context.progress.lookAt(context.directory);
      context.progress.spend(within.length);
      if (fault !== undefined) code = 1;
    }
    return code;
  }
  switch (name) {
    case '[':
      return args.at(-1) === ']' ? testStatus(args.slice(0, -1), context) : 2;
    case '[[':
      return testStatus(args.slice(0, -1), context);
    case 'test':
      return testStatus(args, context);
    case 'cat':
    case 'head':
    case 'tail':
    case 'wc':
    case 'ls':
      return readStatus(name, args, context);
    default:
      return knownStatus(name, args, context);
  }
}

/** Fails for files that cannot be read. */
function readStatus(name: string, args: readonly string[], context: CommandContext): number {
  const { files } = context.progress;
  let code = 0;
  // Line counts are not file names.
  const paths = args.filter((arg, at) => !arg.startsWith('-') && !(args[at - 1] === '-n' && name !== 'ls'));
  for (const path of paths) {
    context.progress.lookAt(context.directory);
    const at = resolvePath(context.directory, path);
    const isThere = files.size(at) !== undefined || (name === 'ls' && files.isDirectory(at));
    if (!isThere && !files.couldHold(at)) code = 1;
    else context.write(name === 'cat' ? context.progress.expand(files.read(at) ?? '') : '0\n');
  }
  if (code === 0) timed(name, args, context);
  return code;
}

/** Exit codes by program name alone. */
function knownStatus(name: string, args: readonly string[], context: CommandContext): number {
  if (name === 'expr') {
    context.progress.seconds += shortly;
    const value = calculated(args);
    if (value !== undefined) context.write(`${value}\n`);
    return value === undefined ? 2 : Number(value === 0);
  }
  if (builtIns.has(name)) return 0;
  if (name === 'printenv' && args.length > 0) return args.some((one) => context.lookup(one) !== undefined) ? 0 : 1;
  context.write(outputOf(name, args, context));
  return timed(name, args, context).exitCode;
}

function timed(name: string, args: readonly string[], context: CommandContext): Pick<Run, 'seconds' | 'exitCode'> {
  const run = programRun(name, args) ?? endsWith(0, shortly);
  if (run.seconds === undefined) context.progress.isEndless = true;
  context.progress.seconds += run.seconds ?? 0;
  if (name === 'sleep') context.progress.slept += run.seconds ?? 0;
  return run;
}

function outputOf(name: string, args: readonly string[], context: CommandContext): string {
  switch (name) {
    case 'true':
    case 'false':
    case 'sleep':
      return '';
    case 'echo':
      return args[0] === '-n' ? args.slice(1).join(' ') : `${args.join(' ')}\n`;
    case 'hostname':
      return `${context.lookup('HOSTNAME') ?? ''}\n`;
    case 'pwd':
      return `${context.directory}\n`;
    default:
      return programs.has(name) ? '0\n' : unknownOutput;
  }
}

function testStatus(terms: readonly string[], context: CommandContext): number {
  context.progress.lookAt(context.directory);
  const result = holds(terms, pathsOf(context.progress.files, context.directory));
  return typeof result === 'object' ? 2 : Number(!result);
}
