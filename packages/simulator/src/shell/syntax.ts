/** The syntax tree of the shell. */

/** Literal text, a variable, or a command substitution. Unquoted ones of the latter two are split at blanks. */
export type Part =
  | { is: 'text'; text: string; isQuoted: boolean }
  | { is: 'variable'; name: string; fallback: string | undefined; isQuoted: boolean }
  | { is: 'command'; script: string; isQuoted: boolean }
  /** The output of a command that has been run. */
  | { is: 'output'; text: string; isQuoted: boolean };

export type Word = readonly Part[];

export type Descriptor = 0 | 1 | 2;

/** `2>/dev/null`, `2>&1`, `</dev/null`; `&>` redirects both outputs. */
export interface Redirection {
  from: readonly Descriptor[];
  to: Word | Descriptor;
  isInput: boolean;
  /** `>>`. */
  isAppended: boolean;
}

export type Operator = ';' | '&&' | '||';

export type Token =
  | { is: 'word'; word: Word }
  | { is: 'operator'; operator: Operator }
  | { is: 'redirection'; redirection: Redirection };

export interface Assignment {
  name: string;
  value: Word;
}

export interface SimpleCommand {
  is: 'command';
  isNegated: boolean;
  assignments: readonly Assignment[];
  words: readonly Word[];
  redirections: readonly Redirection[];
}

export interface Conditional {
  is: 'if';
  isNegated: boolean;
  /** `if` and each `elif`. */
  branches: readonly { condition: readonly Step[]; body: readonly Step[] }[];
  otherwise: readonly Step[];
  redirections: readonly Redirection[];
}

/** A command of a script, with the operator that decides whether it runs. */
export interface Step {
  after: Operator;
  command: SimpleCommand | Conditional;
}

export const isSkipped = ({ after }: Step, status: number): boolean =>
  (after === '&&' && status !== 0) || (after === '||' && status === 0);

/** It may fail even with `-e`: `&&` or `||` follows it, or it is negated. */
export const canFail = (steps: readonly Step[], at: number): boolean =>
  steps[at]!.command.isNegated || (steps[at + 1]?.after ?? ';') !== ';';

/** Whether `-e` ends the script if this step fails. Steps within an `if` are checked themselves. */
export const mustSucceed = (steps: readonly Step[], at: number): boolean =>
  steps[at]!.command.is === 'command' && !canFail(steps, at);

export class SyntaxFault extends Error {
  /** More lines could complete it. */
  readonly isIncomplete: boolean;

  constructor(message: string, isIncomplete = false) {
    super(message);
    this.isIncomplete = isIncomplete;
  }
}

/** Other shells support it. */
export class Unsupported extends SyntaxFault {}

/** The shell of simulated pods is small: unsupported syntax is refused, not misread. */
export const unsupported = (what: string): SyntaxFault =>
  new Unsupported(`${what} not supported by the shell of simulated pods`);
