/** How long the command of a container runs, and with which code it ends, derived from its text. */

import type { Run } from './behaviour.ts';

const forever: Run = { seconds: undefined, exitCode: 0, reason: 'Completed' };

export const endsWith = (exitCode: number, seconds: number): Run => ({
  seconds,
  exitCode,
  reason: exitCode === 0 ? 'Completed' : 'Error',
});

const shells = new Set(['sh', 'bash', 'ash', 'dash']);

/** What a program takes that starts, does little and ends. */
const shortly = 0.5;

/** The part of a path behind its last slash. */
const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * `sleep N`, `true`, `false`, `exit N` and shell scripts of such commands. Undefined: unknown, as of a server or
 * another program.
 */
export function commandRun(command: readonly string[], hasStdin: boolean): Run | undefined {
  const [program, ...args] = command;
  if (program === undefined) return undefined;
  const name = baseName(program);
  if (!shells.has(name)) return plainRun(name, args);
  const script = scriptOf(command);
  if (script !== undefined) return scriptRun(script);
  // A shell without a script reads its standard input, which ends at once where there is none.
  return args.length > 0 ? undefined : hasStdin ? forever : endsWith(0, shortly);
}

/** What a shell is to run. */
export function scriptOf([program = '', ...args]: readonly string[]): string | undefined {
  const flag = shells.has(baseName(program)) ? args.findIndex((arg) => /^-[a-z]*c$/.test(arg)) : -1;
  return flag < 0 ? undefined : (args[flag + 1] ?? '');
}

/** A file that a script makes or removes while it runs, as probes look for it. */
export interface FileChange {
  readonly path: string;
  readonly exists: boolean;
  readonly seconds: number;
}

/** More are not looked at: each probe goes through them. */
const mostChanges = 100;

/** In the order of time. */
export function fileChanges(command: readonly string[]): FileChange[] {
  const script = scriptOf(command);
  const changes: FileChange[] = [];
  let seconds = 0;
  for (const [words] of script === undefined ? [] : commandsOf(script)) {
    const [name = '', ...args] = words;
    const paths = args.filter((arg) => arg.startsWith('/'));
    if (name === 'touch' || name === 'rm')
      for (const path of paths) changes.push({ path, exists: name === 'touch', seconds });
    const into = words.indexOf('>') + 1;
    if (into > 0 && words[into]) changes.push({ path: words[into], exists: true, seconds });
    if (name === 'while' || name === 'for' || changes.length >= mostChanges) break;
    const run = plainRun(baseName(name), args);
    if (run && run.seconds === undefined) break;
    // What is quick does not delay what comes after it: probes are not so exact.
    if (name === 'sleep') seconds += run?.seconds ?? 0;
  }
  return changes.slice(0, mostChanges);
}

function plainRun(name: string, args: readonly string[]): Run | undefined {
  switch (name) {
    case 'true':
    case 'echo':
    case 'printf':
    case 'date':
    case 'hostname':
    case 'env':
    case 'ls':
    case 'cat':
    case 'touch':
    case 'rm':
    case 'mkdir':
    case 'test':
      return endsWith(0, shortly);
    case 'false':
      return endsWith(1, shortly);
    case 'exit':
      return endsWith(exitCodeOf(args[0]), 0);
    case 'sleep':
      return sleepRun(args);
    case 'tail':
      return args.some((arg) => arg.startsWith('-f') || arg === '-F') ? forever : endsWith(0, shortly);
    default:
      return undefined;
  }
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function sleepRun(args: readonly string[]): Run {
  let seconds = 0;
  for (const arg of args) {
    if (arg === 'infinity' || arg === 'inf') return forever;
    const unit = unitSeconds[arg.at(-1) ?? ''];
    const value = Number(unit ? arg.slice(0, -1) : arg);
    if (arg === '' || Number.isNaN(value)) return endsWith(1, shortly);
    seconds += value * (unit ?? 1);
  }
  return args.length === 0 ? endsWith(1, shortly) : endsWith(0, seconds);
}

/** A shell keeps the lowest byte. */
const exitCodeOf = (text = '0'): number => (/^\d{1,9}$/.test(text) ? Number(text) & 255 : 2);

/** Commands one after the other, with `;`, `&&`, `||` and lines; a loop that has no end runs for ever. */
function scriptRun(script: string): Run {
  if (/\bwhile (?:true|:|\[ 1 \])|\bfor \(\( ?; ?; ?\)\)|\btrap\b/.test(script)) return forever;
  let seconds = 0;
  let code = 0;
  let joinedBy = ';';
  for (const [words, next] of commandsOf(script)) {
    const skipped = (joinedBy === '&&' && code !== 0) || (joinedBy === '||' && code === 0);
    joinedBy = next;
    if (skipped || words.length === 0) continue;
    const name = baseName(words[0]!);
    // `exec` replaces the shell.
    const run = plainRun(name === 'exec' ? baseName(words[1] ?? '') : name, words.slice(name === 'exec' ? 2 : 1));
    if (run?.seconds === undefined && run) return forever;
    seconds += run?.seconds ?? shortly;
    code = run?.exitCode ?? 0;
    if (name === 'exit') break;
  }
  return endsWith(code, Math.max(seconds, shortly));
}

/** Each command's words, and what joins the next one to it. Quotes are only taken away: no word is expanded. */
function* commandsOf(script: string): Generator<[string[], string]> {
  for (const part of script.split(/(;|&&|\|\||\n)/).reduce<[string, string][]>(paired, [])) {
    yield [part[0].split(/\s/).flatMap((word) => unquoted(word) || []), part[1] === '\n' ? ';' : part[1]];
  }
}

const paired = (all: [string, string][], part: string, index: number): [string, string][] => {
  if (index % 2 === 0) all.push([part, ';']);
  else all.at(-1)![1] = part;
  return all;
};

const unquoted = (word: string): string => word.replaceAll(/["'()]/g, '');
