/** How long the command of a container runs, and with which code it ends, derived from its text. */

import { isTooLong, shellArguments } from '../shell/arguments.ts';
import { shellNames } from '../shell/programs.ts';
import type { Run } from './behaviour.ts';
import { followProgram, followScript } from './followed-script.ts';
import { baseName, endsWith, forever, neverStarted, programRun, shortly } from './program-run.ts';
import { type FileChange, mostChanges, type ScriptWorld } from './script-world.ts';

/** Of a script that is only looked at: no variables, no files. */
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
  mayHold: () => true,
};

/**
 * `sleep N`, `true`, `false`, `exit N` and shell scripts of such commands. Undefined: unknown, as of a server or
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
  // A shell without a script reads its standard input, which ends at once where there is none.
  return args.length > 0 ? undefined : hasStdin ? forever : endsWith(0, shortly);
}

/** What a shell is to run. */
export const scriptOf = ([program = '', ...args]: readonly string[]): string | undefined =>
  shellNames.includes(baseName(program)) ? shellArguments(args).script : undefined;

/** In order of time. What it does to files is not kept. */
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
    // What is quick does not delay what comes after it: probes are not so exact.
    if (name === 'sleep') seconds += run?.seconds ?? 0;
  }
  return changes.slice(0, mostChanges);
}

/**
 * Of a script that the shell does not know: commands one after the other, with `;`, `&&`, `||` and lines. A loop that has no end
 * runs for ever.
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

/** Each command's words, and what joins the next one to it. Quotes are only taken away: no word is expanded. */
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
