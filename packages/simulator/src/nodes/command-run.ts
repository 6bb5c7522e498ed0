/** Derives from a container's command how long it runs, and its exit code. */

import { isTooLong, shellArguments } from '../shell/arguments.ts';
import { shellNames } from '../shell/programs.ts';
import type { Run } from './behaviour.ts';
import { followProgram, followScript } from './followed-script.ts';
import { baseName, endsWith, forever, neverStarted, programRun, shortly } from './program-run.ts';
import { type FileChange, mostChanges, type ScriptWorld } from './script-world.ts';

/** For a script that is only analysed: no variables, no files. */
const noWorld: ScriptWorld = {
  lookup: () => undefined,
  files: new Set(),
  directory: '/',
  base: () => ({
    read: () => undefined,
    size: () => undefined,
    entries: (path) => (path === '/' ? [] : undefined),
    isDirectory: (path) => path === '/',
  }),
  couldHold: () => true,
};

/**
 * Handles `sleep N`, `true`, `false`, `exit N` and shell scripts of such commands. Undefined for others, such as a server or
 * another program.
 */
export function commandRun(
  command: readonly string[],
  hasStdin: boolean,
  given: Partial<ScriptWorld> = {},
): Run | undefined {
  const [program, ...args] = command;
  if (program === undefined) return undefined;
  if (args.some(isTooLong)) return neverStarted;
  const world = { ...noWorld, files: new Set<string>(), ...given };
  const name = baseName(program);
  if (!shellNames.includes(name)) return programRun(name, args) && followProgram(name, args, world)?.run;
  const script = scriptOf(command);
  if (script !== undefined) return followScript(args, world)?.run ?? wordsRun(script);
  // A shell without a script reads its standard input, which ends immediately if it is not open.
  return args.length > 0 ? undefined : hasStdin ? forever : endsWith(0, shortly);
}

/** The script of a shell command. */
export const scriptOf = ([program = '', ...args]: readonly string[]): string | undefined =>
  shellNames.includes(baseName(program)) ? shellArguments(args).script : undefined;

/** In order of time. The files themselves are not kept. */
export function fileChanges(command: readonly string[], given: Partial<ScriptWorld> = {}): readonly FileChange[] {
  const script = scriptOf(command);
  if (script === undefined || command.some(isTooLong)) return [];
  const { files } = given;
  const unchanged = { has: (path: string) => files?.has(path) ?? false, add() {}, delete() {} };
  const followed = followScript(command.slice(1), { ...noWorld, ...given, files: unchanged });
  return followed ? followed.changes : changesByWords(script);
}

function changesByWords(script: string): FileChange[] {
  const changes: FileChange[] = [];
  let seconds = 0;
  for (const [words] of commandsOf(script)) {
    const [name = '', ...args] = words;
    const paths = args.filter((arg) => arg.startsWith('/'));
    if (name === 'touch' || name === 'rm')
      for (const path of paths) changes.push({ path, exists: name === 'touch', seconds });
    const into = words.indexOf('>') + 1;
    if (into > 0 && words[into]) changes.push({ path: words[into], exists: true, seconds });
    if (name === 'while' || name === 'for' || changes.length >= mostChanges) break;
    const run = programRun(baseName(name), args);
    if (run && run.seconds === undefined) break;
    // Fast commands do not delay later ones: probes are not that precise.
    if (name === 'sleep') seconds += run?.seconds ?? 0;
  }
  return changes.slice(0, mostChanges);
}

/**
 * For a script that the shell cannot parse: commands one after the other, separated by `;`, `&&`, `||` or newlines. An endless loop
 * runs forever.
 */
function wordsRun(script: string): Run {
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
    const run = programRun(name === 'exec' ? baseName(words[1] ?? '') : name, words.slice(name === 'exec' ? 2 : 1));
    if (run?.seconds === undefined && run) return forever;
    seconds += run?.seconds ?? shortly;
    code = run?.exitCode ?? 0;
    if (name === 'exit') break;
  }
  return endsWith(code, Math.max(seconds, shortly));
}

/** Yields each command's words, and the operator after it. Quotes are removed, but no word is expanded. */
function* commandsOf(script: string): Generator<[string[], string]> {
  let at = 0;
  for (const { 0: joint, index } of script.matchAll(/;|&&|\|\||\n/g)) {
    yield [wordsOf(script.slice(at, index)), joint === '\n' ? ';' : joint];
    at = index + joint.length;
  }
  yield [wordsOf(script.slice(at)), ';'];
}

const wordsOf = (text: string): string[] => text.split(/\s/).flatMap((word) => unquoted(word) || []);

const unquoted = (word: string): string => word.replaceAll(/["'()]/g, '');
