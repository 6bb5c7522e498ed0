/** The built-in shell: simple commands, `;`, `&&`, `||`, variables and quotes. It reaches nothing outside of the simulated pod. */

import { nextTurn } from '@fleet/client/turns.ts';
import type { Command, ShellState, World } from './command.ts';
import { expandedText, expandedWords, WordTooLong } from './expansion.ts';
import { resolvePath } from './files.ts';
import { parseScript } from './parser.ts';
import { builtIns, calledName, programs, shellNames } from './programs.ts';
import { discard, noInput, type Streams } from './streams.ts';
import { HeldOutput, Substitutions } from './substitution.ts';
import { type Redirection, type SimpleCommand, SyntaxFault } from './syntax.ts';
import { ExportedNames, limitsBeyond, type VariableLimits, Variables } from './variables.ts';

/** Of one line, with all shells that it starts. */
export interface Budget {
  commands: number;
}

export const newBudget = (): Budget => ({ commands: 10_000 });

const deepestNesting = 8;

export interface ShellOptions {
  /** As errors call it. */
  name: string;
  args: readonly string[];
  environment: ReadonlyMap<string, string>;
  /** Of the shell that this one runs in; those of a container's first shell follow its environment. */
  limits?: VariableLimits;
  directory: string;
  world: World;
  isStrict?: boolean;
  isTraced?: boolean;
  depth?: number;
}

/** What runs a shell within a shell, given from outside: that one reads options and its input, too. */
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
    };
    variables.set('PWD', options.directory);
  }

  /** Throws SyntaxFault before anything is run. Returns the status of the last command. */
  async run(script: string, run: Run): Promise<number> {
    const { state } = this;
    for (const { after, command } of parseScript(script)) {
      if ((after === '&&' && state.status !== 0) || (after === '||' && state.status === 0)) continue;
      const status = await this.#command(command, run);
      state.status = command.isNegated ? Number(status === 0) : status;
      if (this.#options.isStrict && state.status !== 0) state.exitCode ??= state.status;
      if (state.exitCode !== undefined) return state.exitCode;
    }
    return state.status;
  }

  async #command(command: SimpleCommand, run: Run): Promise<number> {
    run.signal.throwIfAborted();
    run.budget.commands -= 1;
    if (run.budget.commands < 0) return this.#refuse(run, 'too many commands', 1);
    // Others are served between two commands.
    await nextTurn();
    try {
      return await this.#expanded(command, run);
    } catch (fault) {
      if (!(fault instanceof WordTooLong || fault instanceof SyntaxFault)) throw fault;
      return this.#refuse(run, fault.message, 2);
    }
  }

  async #expanded({ assignments, words, redirections }: SimpleCommand, run: Run): Promise<number> {
    const lookup = (name: string) => this.#value(name);
    const substitutions = new Substitutions((script) => this.#output(script, run));
    const [name, ...args] = expandedWords(await substitutions.inAll(words), lookup);
    const streams = await this.#redirected(redirections, run.streams, substitutions);
    if (!streams) return 1;
    const values = new Variables(this.#limits);
    for (const { name: variable, value } of assignments) {
      values.set(variable, expandedText(await substitutions.in(value), lookup));
    }
    if (this.#options.isTraced && name !== undefined) await run.streams.stderr(`+ ${[name, ...args].join(' ')}\n`);
    if (name !== undefined) return this.#call(name, args, values, { ...run, streams });
    for (const [variable, value] of values) this.state.variables.set(variable, value);
    return substitutions.status;
  }

  /** Of a script in a shell of its own, which has the variables of this one. */
  async #output(script: string, run: Run): Promise<{ text: string; status: number }> {
    const { depth = 0 } = this.#options;
    if (depth >= deepestNesting) throw new WordTooLong('too many nested shells');
    const { directory, status, exported, variables } = this.state;
    const shell = new Shell({ ...this.#options, limits: this.#limits, directory, depth: depth + 1 }, this.#runShell);
    for (const [name, value] of variables) shell.state.variables.set(name, value);
    for (const name of exported) shell.state.exported.add(name);
    shell.state.status = status;
    const held = new HeldOutput();
    const code = await shell.run(script, { ...run, streams: { ...run.streams, stdout: held.write } });
    return { text: held.text, status: code };
  }

  async #call(word: string, args: string[], values: ReadonlyMap<string, string>, run: Run): Promise<number> {
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
    const isDirectory =
      word.includes('/') && world.files.entries(resolvePath(this.state.directory, word)) !== undefined;
    if (isDirectory) return this.#refuse(run, `${word}: Permission denied`, 126);
    return this.#refuse(run, `${word}: not found`, 127);
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

  /** Undefined if a file would have to be written, which has been said. */
  async #redirected(
    redirections: readonly Redirection[],
    streams: Streams,
    substitutions: Substitutions,
  ): Promise<Streams | undefined> {
    const redirected = { ...streams };
    for (const { from, to, isInput } of redirections) {
      if (typeof to === 'number') {
        const target = to === 2 ? redirected.stderr : redirected.stdout;
        if (from.includes(1)) redirected.stdout = target;
        if (from.includes(2)) redirected.stderr = target;
        continue;
      }
      const path = expandedText(await substitutions.in(to), (name) => this.#value(name));
      if (resolvePath(this.state.directory, path) !== '/dev/null') {
        const what = isInput ? 'cannot open' : "can't create";
        const why = isInput ? 'only /dev/null can be redirected from in simulated pods' : 'Read-only file system';
        await streams.stderr(`${this.#options.name}: ${what} ${path}: ${why}\n`);
        return undefined;
      }
      if (isInput) redirected.stdin = noInput;
      if (!isInput && from.includes(1)) redirected.stdout = discard;
      if (!isInput && from.includes(2)) redirected.stderr = discard;
    }
    return redirected;
  }

  async #refuse({ streams }: Pick<Run, 'streams'>, why: string, code: number): Promise<number> {
    await streams.stderr(`${this.#options.name}: ${why}\n`);
    return code;
  }
}
