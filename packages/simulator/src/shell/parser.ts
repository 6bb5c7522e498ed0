/** Tokens as the steps of a script. */

import { tokensOf } from './lexer.ts';
import {
  type Assignment,
  type Operator,
  type Redirection,
  type SimpleCommand,
  type Step,
  SyntaxFault,
  unsupported,
  type Word,
} from './syntax.ts';

const keywords = ['if', 'for', 'while', 'until', 'case', 'function', 'select', '{', '[['];

export function parseScript(script: string): Step[] {
  const steps: Step[] = [];
  let after: Operator = ';';
  let command = new CommandParts();
  for (const token of tokensOf(script)) {
    if (token.is === 'word') command.addWord(token.word);
    else if (token.is === 'redirection') command.redirections.push(token.redirection);
    else {
      if (!command.isEmpty) steps.push({ after, command: command.whole() });
      // Lines may be empty, and may end behind an operator.
      else if (token.operator !== ';') throw new SyntaxFault(`syntax error: unexpected "${token.operator}"`);
      else if (after !== ';') continue;
      after = token.operator;
      command = new CommandParts();
    }
  }
  if (!command.isEmpty) steps.push({ after, command: command.whole() });
  else if (after !== ';') throw new SyntaxFault('syntax error: unexpected end of file', true);
  return steps;
}

class CommandParts {
  readonly assignments: Assignment[] = [];
  readonly words: Word[] = [];
  readonly redirections: Redirection[] = [];
  #isNegated = false;

  get isEmpty(): boolean {
    return this.assignments.length + this.words.length + this.redirections.length === 0 && !this.#isNegated;
  }

  addWord(word: Word): void {
    if (this.words.length > 0) {
      this.words.push(word);
      return;
    }
    const plain = plainText(word);
    if (plain === '!' && this.isEmpty) {
      this.#isNegated = true;
      return;
    }
    if (plain !== undefined && keywords.includes(plain)) throw unsupported(`"${plain}" is`);
    const assignment = assignmentOf(word);
    if (assignment) this.assignments.push(assignment);
    else this.words.push(word);
  }

  whole(): SimpleCommand {
    const { assignments, words, redirections } = this;
    return { isNegated: this.#isNegated, assignments, words, redirections };
  }
}

const plainText = (word: Word): string | undefined =>
  word.length === 1 && word[0]!.is === 'text' && !word[0]!.isQuoted ? word[0]!.text : undefined;

/** `NAME=` must stand there as it is; what is behind it may be anything. */
function assignmentOf([first, ...rest]: Word): Assignment | undefined {
  if (first?.is !== 'text' || first.isQuoted) return undefined;
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(first.text) ?? [];
  return name === undefined ? undefined : { name, value: [{ is: 'text', text: value!, isQuoted: false }, ...rest] };
}
