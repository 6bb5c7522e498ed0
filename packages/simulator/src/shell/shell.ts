/** The built-in shell: simple commands, `;`, `&&`, `||`, `if`, variables and quotes. It accesses nothing outside the simulated pod. */

import { Pace } from '@fleet/client/pace.ts';
import { nextTurn } from '@fleet/client/turns.ts';
import type { Command, ShellState, World } from './command.ts';
import { expandedText, expandedWords, unsplitWords, WordTooLong } from './expansion.ts';
import { resolvePath } from './files.ts';
import { isDoubleBracket, parseScript } from './parser.ts';
import { builtIns, calledName, programs, shellNames } from './programs.ts';
import { openTarget, WriteFault } from './redirection.ts';
import type { Streams } from './streams.ts';
import { HeldOutput, Substitutions } from './substitution.ts';
import {
  type Conditional,
  canFail,
  isSkipped,
  mustSucceed,
  type Redirection,
  type SimpleCommand,
  type Step,
  SyntaxFault,
} from './syntax.ts';
import { ExportedNames, limitsBeyond, type VariableLimits, Variables } from './variables.ts';

/** The limits of one line, including all shells that it starts. */
export interface Budget {
  commands: number;
}

export const newBudget = (): Budget => ({ commands: 10_000 });

const deepestNesting = 8;

/** Called between two of the many parts of a command. */
async function rested(pace: Pace, { signal }: Pick<Run, 'signal'>): Promise<void> {
  await pace.rest();
  signal.throwIfAborted();
}

export interface ShellOptions {
  /** Its name in error messages. */
  name: string;
  args: readonly string[];
  environment: ReadonlyMap<string, string>;
  /** The limits of the outer shell; those of a container's first shell follow from its environment. */
  limits?: VariableLimits;
  directory: string;
  world: World;
  isStrict?: boolean;
  isTraced?: boolean;
  depth?: number;
}

/** Runs a nested shell, which parses options and reads its input. Injected, to avoid a cycle. */
export type RunShell = (args: readonly string[], options: ShellOptions, run: Run) => Promise<number>;

export interface Run {
  streams: Streams;
  signal: AbortSignal;
  budget: Budget;
}

export class Shell {
  readonly state: ShellState;
  readonly #options: ShellOptions;
  readonly #limits: VariableLimits;
  readonly #runShell: RunShell;

  constructor(options: ShellOptions, runShell: RunShell) {
    this.#options = options;
    this.#runShell = runShell;
    this.#limits = options.limits ?? limitsBeyond(options.environment);
    const variables = new Variables(this.#limits);
    const exported = new ExportedNames(this.#limits);
    for (const [name, value] of options.environment) {
      variables.set(name, value);
      exported.add(name);
    }
    this.state = {
      variables,
      exported,
      directory: options.directory,
      status: 0,
      exitCode: undefined,
      isStrict: options.isStrict ?? false,
      isTraced: options.isTraced ?? false,
    };
    variables.set('PWD', options.directory);
  }

  /** Throws SyntaxFault before any command is run. Returns the status of the last command. */
  async run(script: string, run: Run): Promise<number> {
    await this.#steps(parseScript(script), run, false);
    return this.state.exitCode ?? this.state.status;
  }

  /** A condition may fail, also with `-e`. */
  async #steps(steps: readonly Step[], run: Run, isCondition: boolean): Promise<void> {
    const { state } = this;
    for (const [at, step] of steps.entries()) {
      if (isSkipped(step, state.status)) continue;
      const status = await this.#command(step.command, run, isCondition || canFail(steps, at));
      state.status = step.command.isNegated ? Number(status === 0) : status;
      if (state.isStrict && status !== 0 && !isCondition && mustSucceed(steps, at)) state.exitCode ??= status;
      if (state.exitCode !== undefined) return;
    }
  }

  async #command(command: Step['command'], run: Run, isCondition: boolean): Promise<number> {
    run.signal.throwIfAborted();
    run.budget.commands -= 1;
    if (run.budget.commands < 0) return this.#refuse(run, 'too many commands', 1);
    // Yields between two commands.
    await nextTurn();
    try {
      return command.is === 'if'
        ? await this.#conditional(command, run, isCondition)
        : await this.#expanded(command, run);
    } catch (fault) {
      if (fault instanceof WriteFault) return this.#refuse(run, `write error: ${fault.message}`, 1);
      if (!(fault instanceof WordTooLong || fault instanceof SyntaxFault)) throw fault;
      return this.#refuse(run, fault.message, 2);
    }
  }

  async #conditional(
    { branches, otherwise, redirections }: Conditional,
    run: Run,
    isCondition: boolean,
  ): Promise<number> {
    const { state } = this;
    const streams = await this.#redirected(redirections, run, this.#substitutions(run));
    if (!streams) return 1;
    const inner = { ...run, streams };
    for (const { condition, body } of branches) {
      await this.#steps(condition, inner, true);
      if (state.exitCode !== undefined) return state.status;
      if (state.status !== 0) continue;
      await this.#steps(body, inner, isCondition);
      return state.status;
    }
    await this.#steps(otherwise, inner, isCondition);
    return otherwise.length === 0 ? 0 : state.status;
  }

  #substitutions(run: Run): Substitutions {
    return new Substitutions((script) => this.#output(script, run));
  }

  async #expanded({ assignments, words, redirections }: SimpleCommand, run: Run): Promise<number> {
    const lookup = (name: string) => this.#value(name);
    const substitutions = this.#substitutions(run);
    const whole = await substitutions.inAll(words);
    const [name, ...args] = isDoubleBracket(words) ? unsplitWords(whole, lookup) : expandedWords(whole, lookup);
    const streams = await this.#redirected(redirections, run, substitutions);
    if (!streams) return 1;
    const values = new Variables(this.#limits);
    const pace = new Pace();
    for (const { name: variable, value } of assignments) {
      if (pace.isDue) await rested(pace, run);
      values.set(variable, expandedText(await substitutions.in(value), lookup));
    }
    if (this.state.isTraced && name !== undefined) await run.streams.stderr(`+ ${[name, ...args].join(' ')}\n`);
    if (name !== undefined) return this.#call(name, args, values, { ...run, streams });
    for (const [variable, value] of values) this.state.variables.set(variable, value);
    return substitutions.status;
  }

  /** The output of a script in a subshell that has the variables of this one. */
  async #output(script: string, run: Run): Promise<{ text: string; status: number }> {
    const { depth = 0 } = this.#options;
    if (depth >= deepestNesting) throw new WordTooLong('too many nested shells');
    run.budget.commands -= 1;
    if (run.budget.commands < 0) throw new WordTooLong('too many commands');
    // A subshell copies all variables: yields before each, even if it runs nothing.
    await nextTurn();
    run.signal.throwIfAborted();
    const { directory, status, exported, variables, isStrict, isTraced } = this.state;
    const shell = new Shell({ ...this.#options, limits: this.#limits, directory, depth: depth + 1 }, this.#runShell);
    for (const [name, value] of variables) shell.state.variables.set(name, value);
    for (const name of exported) shell.state.exported.add(name);
    Object.assign(shell.state, { status, isStrict, isTraced });
    const held = new HeldOutput();
    const code = await shell.run(script, { ...run, streams: { ...run.streams, stdout: held.write } });
    return { text: held.text, status: code };
  }

  async #call(word: string, args: string[], values: ReadonlyMap<string, string>, run: Run): Promise<number> {
    if (word === 'exec') return this.#replace(args, values, run);
    const environment = this.#environment(values);
    const name = calledName(word);
    const { world, depth = 0 } = this.#options;
    if (name !== undefined && shellNames.includes(name)) {
      if (depth >= deepestNesting) return this.#refuse(run, 'too many nested shells', 1);
      const inner = { name, args: [], environment, limits: this.#limits, directory: this.state.directory, world };
      return this.#runShell(args, { ...inner, depth: depth + 1 }, run);
    }
    const found: Command | undefined =
      word === name ? (builtIns.get(word) ?? programs.get(word)) : programs.get(name ?? '');
    const { streams, signal } = run;
    if (found) return found({ name: word, args, environment, state: this.state, world, signal, ...streams });
    if (word.includes('/') && world.files.isDirectory(resolvePath(this.state.directory, word)))
      return this.#refuse(run, `${word}: Permission denied`, 126);
    return world.isOwnCommand ? 0 : this.#refuse(run, `${word}: not found`, 127);
  }

  /** `exec`: no command runs after it, unless it has no arguments. */
  async #replace(args: readonly string[], values: ReadonlyMap<string, string>, run: Run): Promise<number> {
    const at = args.findIndex((one) => one !== 'exec');
    if (at < 0) return 0;
    const status = await this.#call(args[at]!, args.slice(at + 1), values, run);
    this.state.exitCode ??= status;
    return status;
  }

  #environment(values: ReadonlyMap<string, string>): Map<string, string> {
    const environment = new Map<string, string>();
    for (const name of this.state.exported) {
      const value = this.#value(name);
      if (value !== undefined) environment.set(name, value);
    }
    for (const [name, value] of values) environment.set(name, value);
    return environment;
  }

  #value(name: string): string | undefined {
    const { args, name: own, world } = this.#options;
    switch (name) {
      case '?':
        return String(this.state.status);
      case '$':
        return '47';
      case '#':
        return String(args.length);
      case '@':
      case '*':
        return args.join(' ');
      case '0':
        return own;
      case 'COLUMNS':
        return world.terminal ? String(world.terminal.size.width) : this.state.variables.get(name);
      case 'LINES':
        return world.terminal ? String(world.terminal.size.height) : this.state.variables.get(name);
      default:
        return /^[1-9]$/.test(name) ? args[Number(name) - 1] : this.state.variables.get(name);
    }
  }

  /** Undefined if a file cannot be opened, after the error was written. */
  async #redirected(
    redirections: readonly Redirection[],
    run: Run,
    substitutions: Substitutions,
  ): Promise<Streams | undefined> {
    const redirected = { ...run.streams };
    const pace = new Pace();
    for (const { from, to, isInput, isAppended } of redirections) {
      if (pace.isDue) await rested(pace, run);
      if (typeof to === 'number') {
        const target = to === 2 ? redirected.stderr : redirected.stdout;
        if (from.includes(1)) redirected.stdout = target;
        if (from.includes(2)) redirected.stderr = target;
        continue;
      }
      const name = expandedText(await substitutions.in(to), (variable) => this.#value(variable));
      const opened = openTarget(this.#options.world.files, this.state.directory, name, { isInput, isAppended });
      if ('why' in opened) {
        const what = isInput ? "can't open" : "can't create";
        await run.streams.stderr(`${this.#options.name}: ${what} ${name}: ${opened.why}\n`);
        return undefined;
      }
      if ('input' in opened) redirected.stdin = opened.input;
      else {
        if (from.includes(1)) redirected.stdout = opened.write;
        if (from.includes(2)) redirected.stderr = opened.write;
      }
    }
    return redirected;
  }

  async #refuse({ streams }: Pick<Run, 'streams'>, why: string, code: number): Promise<number> {
    await streams.stderr(`${this.#options.name}: ${why}\n`);
    return code;
  }
}
