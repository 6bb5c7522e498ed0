/** Evaluates a script step by step like the built-in shell, but without waiting. */

import { withoutEnding } from '@fleet/kube/trim-end.ts';
import { shellArguments } from '../shell/arguments.ts';
import { expandedText, expandedWords, unsplitWords, WordTooLong } from '../shell/expansion.ts';
import { resolvePath } from '../shell/files.ts';
import { isDoubleBracket, parseScript } from '../shell/parser.ts';
import { longestPath } from '../shell/path-tree.ts';
import { calledName, shellNames } from '../shell/programs.ts';
import { targetPath } from '../shell/redirection.ts';
import {
  type Conditional,
  canFail,
  isSkipped,
  mustSucceed,
  type Redirection,
  type SimpleCommand,
  type Step,
  SyntaxFault,
  Unsupported,
  type Word,
} from '../shell/syntax.ts';
import { baseName, programRun } from './program-run.ts';
import { commandStatus, unknownOutput } from './script-commands.ts';
import { NotFollowed, type ScriptProgress } from './script-world.ts';

const deepestNesting = 8;
/** In characters. */
const longestOutput = 64 * 1024;

/** Standard output. */
type Write = (text: string) => void;

interface Surroundings {
  lookup(name: string): string | undefined;
  directory: string;
  write: Write;
  depth: number;
}

type Values = ReadonlyMap<string, string>;
const noValues: Values = new Map();

export class ScriptRun {
  readonly #progress: ScriptProgress;
  readonly #outer: Surroundings;
  /** Undefined: unset. */
  readonly #variables = new Map<string, string | undefined>();
  readonly #exported = new Set<string>();
  #args: readonly string[] = [];
  #name = 'sh';
  #directory: string;
  #isStrict = false;
  /** Ended by `exit`, `exec` or `-e`. */
  #isOver = false;
  code = 0;

  constructor(progress: ScriptProgress, outer: Surroundings) {
    this.#progress = progress;
    this.#outer = outer;
    this.#directory = outer.directory;
  }

  program(name: string, args: readonly string[]): void {
    this.code = this.#status([name, ...args], noValues, this.#outer.write);
  }

  /** `sh` with these arguments. Without a script it reads its input, which is empty. */
  shell(args: readonly string[]): void {
    const { script, rest, fault, isStrict } = shellArguments(args);
    this.#isStrict = isStrict;
    [this.#name = 'sh', ...this.#args] = rest;
    const steps = fault === undefined && (script !== undefined || rest.length === 0) && parsed(script ?? '');
    if (steps) this.#steps(steps, false, this.#outer.write);
    else this.code = 2;
  }

  get #hasEnded(): boolean {
    return this.#isOver || this.#progress.isEndless;
  }

  #steps(steps: readonly Step[], isCondition: boolean, write: Write): void {
    for (const [at, step] of steps.entries()) {
      if (isSkipped(step, this.code)) continue;
      const code = this.#command(step.command, isCondition || canFail(steps, at), write);
      this.code = step.command.isNegated && !this.#hasEnded ? Number(code === 0) : code;
      if (this.#isStrict && code !== 0 && !isCondition && mustSucceed(steps, at)) this.#isOver = true;
      if (this.#hasEnded) return;
    }
  }

  #command(command: Step['command'], isCondition: boolean, write: Write): number {
    if (!this.#progress.countCommand()) return 1;
    try {
      return command.is === 'if' ? this.#conditional(command, isCondition, write) : this.#simple(command, write);
    } catch (error) {
      if (error instanceof WriteFault) return 1;
      // The content of a substitution is parsed when it is run.
      const isRefused = error instanceof SyntaxFault && !(error instanceof Unsupported);
      if (error instanceof WordTooLong || isRefused) return 2;
      throw error;
    }
  }

  #conditional({ branches, otherwise, redirections }: Conditional, isCondition: boolean, outer: Write): number {
    const write = this.#redirected(redirections, outer);
    if (!write) return 1;
    for (const { condition, body } of branches) {
      this.#steps(condition, true, write);
      if (this.#hasEnded) return this.code;
      if (this.code !== 0) continue;
      this.#steps(body, isCondition, write);
      return this.code;
    }
    this.#steps(otherwise, isCondition, write);
    return otherwise.length === 0 ? 0 : this.code;
  }

  #simple({ words, assignments, redirections }: SimpleCommand, outer: Write): number {
    const outputs = { code: 0 };
    const whole = words.map((word) => this.#substituted(word, outputs));
    const called = isDoubleBracket(words) ? unsplitWords(whole, this.#lookup) : expandedWords(whole, this.#lookup);
    const write = this.#redirected(redirections, outer);
    if (!write) return 1;
    const values = new Map(assignments.map(({ name, value }) => [name, this.#text(value, outputs)]));
    if (called.length > 0) return this.#status(called, values, write);
    for (const [name, value] of values) this.#variables.set(name, value);
    return outputs.code;
  }

  /** The output of the command; undefined if a file cannot be opened. */
  #redirected(redirections: readonly Redirection[], write: Write): Write | undefined {
    const { files } = this.#progress;
    let [out, errors] = [write, (_text: string): void => {}];
    for (const { from, to, isInput, isAppended } of redirections) {
      if (typeof to === 'number') {
        const target = to === 2 ? errors : out;
        if (from.includes(1)) out = target;
        if (from.includes(2)) errors = target;
        continue;
      }
      this.#progress.lookAt(this.#directory);
      const path = targetPath(this.#directory, this.#text(to, { code: 0 }));
      if (path === undefined) return undefined;
      if (isInput) {
        if (files.size(path) === undefined && !files.couldHold(path)) return undefined;
        continue;
      }
      if (files.write(path, '', isAppended)) return undefined;
      const into = (text: string): void => {
        if (files.write(path, text, true)) throw new WriteFault();
      };
      if (from.includes(1)) out = into;
      if (from.includes(2)) errors = into;
    }
    return out;
  }

  /** The exit code of a command with these words. */
  #status(called: readonly string[], values: Values, write: Write): number {
    const [word = '', ...args] = called;
    const name = calledName(word) ?? baseName(word);
    if (shellNames.includes(name)) return this.#nested(args, values, write);
    switch (name) {
      case 'exec': {
        const at = args.findIndex((one) => one !== 'exec');
        return at < 0 ? 0 : this.#ending(this.#status(args.slice(at), values, write));
      }
      case 'exit':
        return this.#ending(args.length === 0 ? this.code : programRun(name, args)!.exitCode);
      case 'cd':
        return this.#enter(args[0] ?? '/root');
      case 'set':
        for (const one of args) if (/^[-+][a-z]*e/.test(one)) this.#isStrict = one.startsWith('-');
        return 0;
      case 'export':
        return this.#export(args);
      case 'unset':
        for (const variable of args) this.#variables.set(variable, undefined);
        return 0;
    }
    const found = { progress: this.#progress, directory: this.#directory, lookup: this.#lookup };
    return commandStatus(name, args, { ...found, write });
  }

  #ending(code: number): number {
    this.#isOver = true;
    return code;
  }

  /** It inherits only exported variables, which include those from outside. */
  #nested(args: readonly string[], values: Values, write: Write): number {
    const { depth } = this.#outer;
    if (depth >= deepestNesting) return 1;
    const lookup = (name: string): string | undefined => {
      const given = values.get(name);
      if (given !== undefined) return given;
      if (this.#exported.has(name)) return this.#value(name);
      // Looked up once, as each shell looks in the outer one.
      const outer = this.#outer.lookup(name);
      return outer === undefined ? undefined : this.#value(name, outer);
    };
    const inner = new ScriptRun(this.#progress, { lookup, directory: this.#directory, write, depth: depth + 1 });
    inner.shell(args);
    return inner.code;
  }

  #enter(target: string): number {
    const { files } = this.#progress;
    const path = resolvePath(this.#directory, target);
    if (path.length > longestPath || (!files.isDirectory(path) && !files.couldHold(path))) return 2;
    this.#directory = path;
    return 0;
  }

  #export(args: readonly string[]): number {
    for (const argument of args) {
      const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(argument) ?? [];
      if (name === undefined) return 2;
      if (value !== undefined) this.#variables.set(name, value);
      this.#exported.add(name);
    }
    return 0;
  }

  readonly #lookup = (name: string): string | undefined => {
    const value = this.#value(name);
    // A failed lookup has a cost, too.
    if (!value) this.#progress.spend(1);
    return value && this.#progress.expand(value);
  };

  /** `outer` is the value in the outer shell, if already known. */
  #value(name: string, outer?: string): string | undefined {
    switch (name) {
      case '?':
        return String(this.code);
      case '$':
        return '1';
      case '#':
        return String(this.#args.length);
      case '@':
      case '*':
        return this.#args.join(' ');
      case '0':
        return this.#name;
      case 'PWD':
        return this.#directory;
      default:
        if (/^[1-9]$/.test(name)) return this.#args[Number(name) - 1];
        return this.#variables.has(name) ? this.#variables.get(name) : (outer ?? this.#outer.lookup(name));
    }
  }

  #text(word: Word, outputs: { code: number }): string {
    return expandedText(this.#substituted(word, outputs), this.#lookup);
  }

  #substituted(word: Word, outputs: { code: number }): Word {
    return word.map((part) =>
      part.is === 'command'
        ? { is: 'output', text: this.#captured(part.script, outputs), isQuoted: part.isQuoted }
        : part,
    );
  }

  /** The output of commands in a subshell that has the variables of this one. */
  #captured(script: string, outputs: { code: number }): string {
    const { depth } = this.#outer;
    if (depth >= deepestNesting || !this.#progress.countCommand()) throw new WordTooLong();
    let text = '';
    const write = (more: string): void => {
      if (more === unknownOutput) throw new NotFollowed();
      text += this.#progress.expand(more);
      if (text.length > longestOutput) throw new WordTooLong();
    };
    const lookup = (name: string): string | undefined => this.#value(name);
    const inner = new ScriptRun(this.#progress, { lookup, directory: this.#directory, write, depth: depth + 1 });
    const { seconds, slept } = this.#progress;
    inner.#isStrict = this.#isStrict;
    inner.#steps(parseScript(script), false, write);
    // Fast commands within a word do not count.
    this.#progress.seconds = seconds + this.#progress.slept - slept;
    outputs.code = inner.code;
    return withoutEnding(text, (sign) => sign === '\n');
  }
}

/** Undefined if it is not a valid script of any shell. */
function parsed(script: string): Step[] | undefined {
  try {
    return parseScript(script);
  } catch (error) {
    if (error instanceof SyntaxFault && !(error instanceof Unsupported)) return undefined;
    throw error;
  }
}

class WriteFault extends Error {}
