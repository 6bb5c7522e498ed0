/** Splits a script into tokens, in one pass. */

import { type Descriptor, type Part, SyntaxFault, type Token, unsupported, type Word } from './syntax.ts';

const nameStart = /[A-Za-z_]/;
const nameSign = /[A-Za-z0-9_]/;
const specialNames = '?$#@*0123456789';
const metaSigns = ' \t\r\n;&|<>()';
const plainEnds = `${metaSigns}'"\\$\``;

export const tokensOf = (script: string): Token[] => new Lexer(script).tokens();

class Lexer {
  readonly #script: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #parts: Part[] = [];
  /** A word has begun, which may be empty, such as `''`. */
  #isInWord = false;

  constructor(script: string) {
    this.#script = script;
  }

  tokens(): Token[] {
    while (this.#at < this.#script.length) this.#step(this.#script[this.#at]!);
    this.#endWord();
    return this.#tokens;
  }

  #step(sign: string): void {
    switch (sign) {
      case ' ':
      case '\t':
      case '\r':
        this.#at += 1;
        this.#endWord();
        break;
      case '\n':
      case ';':
        this.#operator(';', 1);
        break;
      case '&':
        this.#ampersand();
        break;
      case '|':
        if (this.#script[this.#at + 1] !== '|') throw unsupported('pipes are');
        this.#operator('||', 2);
        break;
      case '(':
      case ')':
        throw unsupported('subshells and functions are');
      case '`':
        throw unsupported('command substitution with backquotes is');
      case '<':
      case '>':
        this.#redirect(sign);
        break;
      case '#':
        if (this.#isInWord) this.#plain();
        else this.#comment();
        break;
      case "'":
        this.#single();
        break;
      case '"':
        this.#double();
        break;
      case '\\':
        this.#escaped();
        break;
      case '$':
        this.#variable(false);
        break;
      default:
        this.#plain();
    }
  }

  #text(text: string, isQuoted: boolean): void {
    this.#isInWord = true;
    const last = this.#parts.at(-1);
    if (last?.is === 'text' && last.isQuoted === isQuoted) last.text += text;
    else this.#parts.push({ is: 'text', text, isQuoted });
  }

  #endWord(): void {
    if (this.#isInWord) this.#tokens.push({ is: 'word', word: this.#parts });
    this.#parts = [];
    this.#isInWord = false;
  }

  #operator(operator: ';' | '&&' | '||', length: number): void {
    this.#endWord();
    this.#tokens.push({ is: 'operator', operator });
    this.#at += length;
  }

  #ampersand(): void {
    const next = this.#script[this.#at + 1];
    if (next === '&') {
      this.#operator('&&', 2);
      return;
    }
    if (next !== '>') throw unsupported('background jobs are');
    this.#endWord();
    this.#at += 1;
    this.#redirect('>', [1, 2]);
  }

  #plain(): void {
    const start = this.#at;
    do this.#at += 1;
    while (this.#at < this.#script.length && !plainEnds.includes(this.#script[this.#at]!));
    this.#text(this.#script.slice(start, this.#at), false);
  }

  #comment(): void {
    const end = this.#script.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#script.length : end;
  }

  #single(): void {
    const end = this.#script.indexOf("'", this.#at + 1);
    if (end < 0) throw new SyntaxFault('syntax error: unterminated quoted string', true);
    this.#text(this.#script.slice(this.#at + 1, end), true);
    this.#at = end + 1;
  }

  #double(): void {
    this.#text('', true);
    this.#at += 1;
    for (;;) {
      const sign = this.#script[this.#at];
      if (sign === undefined) throw new SyntaxFault('syntax error: unterminated quoted string', true);
      if (sign === '"') break;
      if (sign === '$') this.#variable(true);
      else if (sign === '`') throw unsupported('command substitution with backquotes is');
      else if (sign === '\\') this.#escapedInQuotes();
      else this.#run();
    }
    this.#at += 1;
  }

  /** Ordinary characters within double quotes. */
  #run(): void {
    const start = this.#at;
    do this.#at += 1;
    while (this.#at < this.#script.length && !'"$`\\'.includes(this.#script[this.#at]!));
    this.#text(this.#script.slice(start, this.#at), true);
  }

  #escapedInQuotes(): void {
    const next = this.#script[this.#at + 1] ?? '';
    if (next !== '\n') this.#text('"$`\\'.includes(next) ? next : `\\${next}`, true);
    this.#at += 2;
  }

  #escaped(): void {
    const next = this.#script[this.#at + 1];
    if (next === undefined) throw new SyntaxFault('syntax error: unexpected end of file', true);
    if (next !== '\n') this.#text(next, true);
    this.#at += 2;
  }

  #variable(isQuoted: boolean): void {
    const next = this.#script[this.#at + 1] ?? '';
    if (next === '(') {
      this.#substitution(isQuoted);
    } else if (next === '{') {
      this.#braced(isQuoted);
    } else if (next !== '' && specialNames.includes(next)) {
      this.#at += 2;
      this.#reference(next, undefined, isQuoted);
    } else if (nameStart.test(next)) {
      this.#at += 1;
      this.#reference(this.#name(), undefined, isQuoted);
    } else {
      this.#at += 1;
      this.#text('$', isQuoted);
    }
  }

  /** `$(date)`. */
  #substitution(isQuoted: boolean): void {
    if (this.#script[this.#at + 2] === '(') throw unsupported('arithmetic is');
    const end = closingAt(this.#script, this.#at + 2);
    this.#isInWord = true;
    this.#parts.push({ is: 'command', script: this.#script.slice(this.#at + 2, end), isQuoted });
    this.#at = end + 1;
  }

  #name(): string {
    const start = this.#at;
    while (this.#at < this.#script.length && nameSign.test(this.#script[this.#at]!)) this.#at += 1;
    return this.#script.slice(start, this.#at);
  }

  /** `${X}` and `${X:-otherwise}`. */
  #braced(isQuoted: boolean): void {
    const end = this.#script.indexOf('}', this.#at);
    if (end < 0) throw new SyntaxFault("syntax error: missing '}'", true);
    const inside = this.#script.slice(this.#at + 2, end);
    const [, name, fallback] = /^([A-Za-z_][A-Za-z0-9_]*|[?$#0-9])(?::-([^$`"'\\]*))?$/.exec(inside) ?? [];
    if (name === undefined) throw unsupported('such an expansion of a variable is');
    this.#at = end + 1;
    this.#reference(name, fallback, isQuoted);
  }

  #reference(name: string, fallback: string | undefined, isQuoted: boolean): void {
    this.#isInWord = true;
    this.#parts.push({ is: 'variable', name, fallback, isQuoted });
  }

  #redirect(sign: string, of?: readonly Descriptor[]): void {
    const from = of ?? this.#descriptor(sign === '<' ? 0 : 1);
    this.#at += 1;
    if (sign === '<' && this.#script[this.#at] === '<') throw unsupported('here-documents are');
    const isAppended = sign === '>' && this.#script[this.#at] === '>';
    if (isAppended) this.#at += 1;
    const isCopy = this.#script[this.#at] === '&';
    if (isCopy) this.#at += 1;
    const word = this.#target();
    const to = isCopy ? descriptorOf(word) : word;
    this.#tokens.push({ is: 'redirection', redirection: { from, to, isInput: sign === '<', isAppended } });
  }

  /** A digit directly before the operator. */
  #descriptor(otherwise: Descriptor): Descriptor[] {
    const [only, ...more] = this.#parts;
    const digit = only?.is === 'text' && !only.isQuoted && more.length === 0 ? only.text : '';
    if (digit !== '0' && digit !== '1' && digit !== '2') {
      this.#endWord();
      return [otherwise];
    }
    this.#parts = [];
    this.#isInWord = false;
    return [Number(digit) as Descriptor];
  }

  #target(): Word {
    while (this.#script[this.#at] === ' ' || this.#script[this.#at] === '\t') this.#at += 1;
    while (this.#at < this.#script.length && !metaSigns.includes(this.#script[this.#at]!)) {
      this.#step(this.#script[this.#at]!);
    }
    if (!this.#isInWord) throw new SyntaxFault('syntax error: unexpected end of redirection');
    const word = this.#parts;
    this.#parts = [];
    this.#isInWord = false;
    return word;
  }
}

/** Each level is parsed again when it is run, so only a few are supported. */
const deepestSubstitution = 8;

/** The offset of the parenthesis that closes the one before `from`. Within quotes, only those of substitutions count. */
function closingAt(script: string, from: number): number {
  const open = ['('];
  for (let at = from; at < script.length; at += 1) {
    const sign = script[at]!;
    const isQuoted = open.at(-1) === '"';
    if (sign === '\\') at += 1;
    else if (sign === "'" && !isQuoted) {
      const end = script.indexOf("'", at + 1);
      if (end < 0) break;
      at = end;
    } else if (sign === '"' && isQuoted) open.pop();
    else if (sign === '"' || (sign === '(' && (!isQuoted || script[at - 1] === '$'))) open.push(sign);
    else if (sign === ')' && !isQuoted) open.pop();
    if (open.length === 0) return at;
    if (open.length > deepestSubstitution) throw unsupported('so deep a command substitution is');
  }
  throw new SyntaxFault("syntax error: missing ')'", true);
}

function descriptorOf(word: Word): Descriptor {
  const text = word.length === 1 && word[0]!.is === 'text' ? word[0]!.text : '';
  if (text !== '1' && text !== '2') throw unsupported('such a file descriptor is');
  return Number(text) as Descriptor;
}
