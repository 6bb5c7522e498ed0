/** Parses tokens into the steps of a script. */

import { tokensOf } from './lexer.ts';
import {
  type Assignment,
  type Conditional,
  type Operator,
  type Redirection,
  type SimpleCommand,
  type Step,
  SyntaxFault,
  type Token,
  unsupported,
  type Word,
} from './syntax.ts';

const unknown = ['for', 'while', 'until', 'case', 'function', 'select', '{'];
/** Reserved words that are valid only within a compound command. */
const inner = ['then', 'elif', 'else', 'fi', 'do', 'done', 'esac', '}'];
const deepestCondition = 20;

export const parseScript = (script: string): Step[] => new Parser(tokensOf(script)).list([]);

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The steps up to one of these words, or up to the end. */
  list(ends: readonly string[]): Step[] {
    const steps: Step[] = [];
    let after: Operator = ';';
    for (let token = this.#tokens[this.#at]; token; token = this.#tokens[this.#at]) {
      if (token.is === 'operator') {
        // Lines may be empty, and may end after an operator.
        if (token.operator !== ';') throw unexpected(token.operator);
        this.#at += 1;
        continue;
      }
      const word = this.#keyword();
      if (ends.includes(word)) {
        if (steps.length === 0 || after !== ';') throw unexpected(word);
        return steps;
      }
      steps.push({ after, command: this.#command() });
      after = this.#operator(ends);
    }
    if (ends.length > 0 || after !== ';') throw new SyntaxFault('syntax error: unexpected end of file', true);
    return steps;
  }

  /** The operator between two commands; `fi` may be followed directly by an end. */
  #operator(ends: readonly string[]): Operator {
    const token = this.#tokens[this.#at];
    if (token?.is === 'operator') {
      this.#at += 1;
      return token.operator;
    }
    if (token && !ends.includes(this.#keyword())) throw unexpected(this.#keyword() || 'word');
    return ';';
  }

  #command(): SimpleCommand | Conditional {
    const isNegated = this.#keyword() === '!';
    if (isNegated) this.#at += 1;
    const word = this.#keyword();
    if (word === 'if') return this.#conditional(isNegated);
    if (unknown.includes(word)) throw unsupported(`"${word}" is`);
    if (inner.includes(word)) throw unexpected(word);
    return this.#simple(isNegated);
  }

  #conditional(isNegated: boolean): Conditional {
    this.#depth += 1;
    if (this.#depth > deepestCondition) throw unsupported('so deep a condition is');
    const branches: { condition: Step[]; body: Step[] }[] = [];
    do {
      this.#at += 1;
      const condition = this.list(['then']);
      this.#at += 1;
      branches.push({ condition, body: this.list(['elif', 'else', 'fi']) });
    } while (this.#keyword() === 'elif');
    let otherwise: Step[] = [];
    if (this.#keyword() === 'else') {
      this.#at += 1;
      otherwise = this.list(['fi']);
    }
    this.#at += 1;
    this.#depth -= 1;
    return { is: 'if', isNegated, branches, otherwise, redirections: this.#redirections() };
  }

  #redirections(): Redirection[] {
    const found: Redirection[] = [];
    for (let token = this.#tokens[this.#at]; token?.is === 'redirection'; token = this.#tokens[this.#at]) {
      found.push(token.redirection);
      this.#at += 1;
    }
    return found;
  }

  #simple(isNegated: boolean): SimpleCommand {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirections: Redirection[] = [];
    for (let token = this.#tokens[this.#at]; token && token.is !== 'operator'; token = this.#tokens[this.#at]) {
      this.#at += 1;
      if (token.is === 'redirection') redirections.push(token.redirection);
      else {
        const assignment = words.length === 0 ? assignmentOf(token.word) : undefined;
        if (assignment) assignments.push(assignment);
        else words.push(token.word);
      }
    }
    if (isDoubleBracket(words)) refuseOddTest(words);
    return { is: 'command', isNegated, assignments, words, redirections };
  }

  /** The next token as an unquoted word, or an empty text. */
  #keyword(): string {
    const token = this.#tokens[this.#at];
    return token?.is === 'word' ? (plainText(token.word) ?? '') : '';
  }
}

const unexpected = (what: string): SyntaxFault => new SyntaxFault(`syntax error: unexpected "${what}"`);

/** The words of `[[` are not split. */
export const isDoubleBracket = ([first]: readonly Word[]): boolean => first !== undefined && plainText(first) === '[[';

/** `&&` and the like would end its command too early; patterns would be compared as plain text. */
function refuseOddTest(words: readonly Word[]): void {
  if (plainText(words.at(-1)!) !== ']]') throw unsupported('more than one comparison in "[[" is');
  const hasPattern = words
    .slice(1, -1)
    .some((word) => word.some((part) => part.is === 'text' && !part.isQuoted && /[*?[]/.test(part.text)));
  if (hasPattern) throw unsupported('a pattern in "[[" is');
}

export const plainText = (word: Word): string | undefined =>
  word.length === 1 && word[0]!.is === 'text' && !word[0]!.isQuoted ? word[0]!.text : undefined;

/** `NAME=` must be literal; the value may be anything. */
export function assignmentOf([first, ...rest]: Word): Assignment | undefined {
  if (first?.is !== 'text' || first.isQuoted) return undefined;
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(first.text) ?? [];
  return name === undefined ? undefined : { name, value: [{ is: 'text', text: value!, isQuoted: false }, ...rest] };
}
