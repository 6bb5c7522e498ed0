/** A recursive descent parser for expressions, with the precedence of CEL's grammar. */

import type { Expr, MapEntry } from './ast.ts';
import { CompileError, type Issue } from './issues.ts';
import { isReserved, type Token, tokensOf } from './lexer.ts';
import { expand } from './macros.ts';

/** As in cel-go. */
const deepest = 250;
const longest = 100_000;

export function parse(source: string): Expr {
  if ([...source].length > longest) {
    throw new CompileError(source, [
      { at: 0, message: `expression code point size exceeds limit: size: ${[...source].length}, limit ${longest}` },
    ]);
  }
  const parser = new Parser(source);
  const expr = parser.expression();
  parser.end();
  return expr;
}

const relations = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);
const sums = new Set(['+', '-']);
const products = new Set(['*', '/', '%']);

class Parser {
  readonly #source: string;
  readonly #tokens: Token[];
  #position = 0;
  #depth = 0;
  #ids = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokensOf(source);
  }

  get #token(): Token {
    return this.#tokens[this.#position]!;
  }

  end(): void {
    if (this.#token.kind !== 'end') {
      this.#fail(`Syntax error: mismatched input '${shown(this.#token)}' expecting <EOF>`);
    }
  }

  expression(): Expr {
    this.#depth++;
    if (this.#depth > deepest) this.#fail(`expression recursion limit exceeded: ${deepest}`, 0);
    const condition = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()));
    let made = condition;
    const question = this.#take('?');
    if (question) {
      const then = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()));
      this.#expect(':');
      made = this.#call(question.at, '_?_:_', [condition, then, this.expression()]);
    }
    this.#depth--;
    return made;
  }

  #logical(sign: string, name: string, operand: () => Expr): Expr {
    const terms = [operand()];
    const places: number[] = [];
    for (let token = this.#take(sign); token; token = this.#take(sign)) {
      places.push(token.at);
      terms.push(operand());
    }
    return this.#balanced(name, terms, places, 0, places.length - 1);
  }

  /** Builds a balanced tree, so that long chains are not deep. */
  #balanced(name: string, terms: Expr[], places: number[], from: number, to: number): Expr {
    if (places.length === 0) return terms[0]!;
    const middle = Math.floor((from + to + 1) / 2);
    const left = middle === from ? terms[middle]! : this.#balanced(name, terms, places, from, middle - 1);
    const right = middle === to ? terms[middle + 1]! : this.#balanced(name, terms, places, middle + 1, to);
    return this.#call(places[middle]!, name, [left, right]);
  }

  #relation(): Expr {
    return this.#binary(relations, () => this.#binary(sums, () => this.#binary(products, () => this.#unary())));
  }

  #binary(signs: ReadonlySet<string>, operand: () => Expr): Expr {
    let left = operand();
    while (this.#token.kind !== 'literal' && this.#token.kind !== 'escaped' && signs.has(this.#token.text)) {
      const { text, at } = this.#next();
      left = this.#call(at, text === 'in' ? '@in' : `_${text}_`, [left, operand()]);
    }
    return left;
  }

  #unary(): Expr {
    const first = this.#token;
    if (first.kind !== 'sign' || (first.text !== '!' && first.text !== '-')) return this.#member();
    let count = 0;
    for (; this.#take(first.text); count++);
    if (first.text === '-' && this.#token.kind === 'literal' && count % 2 === 1) {
      const { value, at } = this.#token;
      if (typeof value === 'bigint' || typeof value === 'number') {
        this.#next();
        if (typeof value === 'bigint' && value > 2n ** 63n) this.#fail('invalid int literal', at);
        return this.#members({ ...this.#node(first.at), kind: 'literal', value: -value });
      }
    }
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#call(first.at, first.text === '!' ? '!_' : '-_', [operand]);
  }

  #member(): Expr {
    return this.#members(this.#primary());
  }

  #members(start: Expr): Expr {
    let expr = start;
    for (;;) {
      const dot = this.#take('.');
      if (dot) {
        expr = this.#afterDot(expr, dot.at);
        continue;
      }
      const bracket = this.#take('[');
      if (!bracket) return expr;
      const name = this.#take('?') ? '_[?_]' : '_[_]';
      const index = this.expression();
      this.#expect(']');
      expr = this.#call(bracket.at, name, [expr, index]);
    }
  }

  #afterDot(operand: Expr, at: number): Expr {
    const isOptional = this.#take('?') !== undefined;
    const name = this.#token;
    if (name.kind !== 'ident' && name.kind !== 'escaped') {
      this.#fail(`Syntax error: no viable alternative at input '.${name.kind === 'end' ? '' : shown(name)}'`);
    }
    this.#next();
    if (isOptional) {
      const field: Expr = { ...this.#node(name.at), kind: 'literal', value: name.text };
      return this.#call(at, '_?._', [operand, field]);
    }
    const open = name.kind === 'ident' ? this.#take('(') : undefined;
    if (!open) return { ...this.#node(at), kind: 'select', operand, field: name.text, test: false };
    return this.#expanded(open.at, name.text, operand, this.#arguments(')'));
  }

  #primary(): Expr {
    const token = this.#next();
    switch (token.kind) {
      case 'literal':
        if (token.value === 2n ** 63n) this.#fail('invalid int literal', token.at);
        return { ...this.#node(token.at), kind: 'literal', value: token.value! };
      case 'ident':
        return this.#named(token, '');
      case 'sign':
        return this.#bracketed(token);
      default:
        return this.#unexpected(token);
    }
  }

  #bracketed(token: Token): Expr {
    switch (token.text) {
      case '(': {
        const inside = this.expression();
        this.#expect(')');
        return inside;
      }
      case '[':
        return this.#list(token.at);
      case '{':
        return { ...this.#node(token.at), kind: 'map', entries: this.#entries() };
      case '.':
        if (this.#token.kind === 'ident') return this.#named(this.#next(), '.');
        return this.#unexpected(this.#token);
      default:
        return this.#unexpected(token);
    }
  }

  #named({ text, at }: Token, prefix: string): Expr {
    if (!prefix && (text === 'true' || text === 'false')) {
      return { ...this.#node(at), kind: 'literal', value: text === 'true' };
    }
    if (!prefix && text === 'null') return { ...this.#node(at), kind: 'literal', value: null };
    if (isReserved(text)) this.#fail(`reserved identifier: ${text}`, at);
    const open = this.#take('(');
    if (open) return this.#expanded(open.at, `${prefix}${text}`, undefined, this.#arguments(')'));
    const brace = this.#structAhead() ? this.#take('{') : undefined;
    if (!brace) return { ...this.#node(at), kind: 'ident', name: `${prefix}${text}` };
    return { ...this.#node(brace.at), kind: 'struct', type: `${prefix}${text}`, fields: this.#fields() };
  }

  #structAhead(): boolean {
    return this.#token.kind === 'sign' && this.#token.text === '{';
  }

  #fields(): { name: string; value: Expr; at: number }[] {
    const fields: { name: string; value: Expr; at: number }[] = [];
    while (!this.#take('}')) {
      const name = this.#next();
      const colon = this.#expect(':');
      fields.push({ name: name.text, value: this.expression(), at: colon.at });
      if (!this.#take(',')) {
        this.#expect('}');
        break;
      }
    }
    return fields;
  }

  #list(at: number): Expr {
    const elements: Expr[] = [];
    const optional: boolean[] = [];
    while (!this.#take(']')) {
      optional.push(this.#take('?') !== undefined);
      elements.push(this.expression());
      if (!this.#take(',')) {
        this.#expect(']');
        break;
      }
    }
    return { ...this.#node(at), kind: 'list', elements, optional };
  }

  #entries(): MapEntry[] {
    const entries: MapEntry[] = [];
    while (!this.#take('}')) {
      const optional = this.#take('?') !== undefined;
      const key = this.expression();
      this.#expect(':');
      entries.push({ key, value: this.expression(), optional });
      if (!this.#take(',')) {
        this.#expect('}');
        break;
      }
    }
    return entries;
  }

  #arguments(close: string): Expr[] {
    const args: Expr[] = [];
    if (this.#take(close)) return args;
    do args.push(this.expression());
    while (this.#take(','));
    this.#expect(close);
    return args;
  }

  #expanded(at: number, name: string, target: Expr | undefined, args: Expr[]): Expr {
    const made = expand({ at, nextId: () => ++this.#ids }, name, target, args);
    if (!made) return { ...this.#node(at), kind: 'call', name, target, args };
    if ('wrong' in made) return this.#fail(made.wrong, made.at);
    return made;
  }

  #call(at: number, name: string, args: Expr[]): Expr {
    return { ...this.#node(at), kind: 'call', name, target: undefined, args };
  }

  #node(at: number): { id: number; at: number } {
    return { id: ++this.#ids, at };
  }

  #next(): Token {
    const token = this.#token;
    if (token.kind !== 'end') this.#position++;
    return token;
  }

  #take(sign: string): Token | undefined {
    const token = this.#token;
    if (token.kind !== 'sign' || token.text !== sign) return undefined;
    this.#position++;
    return token;
  }

  #expect(sign: string): Token {
    const token = this.#take(sign);
    return token ?? this.#fail(`Syntax error: mismatched input '${shown(this.#token)}' expecting '${sign}'`);
  }

  #unexpected(token: Token): never {
    const starts =
      "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
    return this.#fail(`Syntax error: mismatched input '${shown(token)}' expecting ${starts}`, token.at);
  }

  #fail(message: string, at: number = this.#token.at): never {
    throw new CompileError(this.#source, [{ at, message } satisfies Issue]);
  }
}

const shown = ({ text }: Token): string => text;
