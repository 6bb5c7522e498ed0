/** Splits the source of an expression into tokens. Positions count code points. */

import { bytesWithEscapes, textWithEscapes } from './escapes.ts';
import { CompileError, type Issue } from './issues.ts';
import { stringLiteralAt } from './string-literal.ts';
import { Uint, type Value } from './values.ts';

export interface Token {
  kind: 'ident' | 'escaped' | 'literal' | 'sign' | 'end';
  /** The source text; of an escaped name its content. */
  text: string;
  value?: Value;
  at: number;
}

const signs = ['==', '!=', '<=', '>=', '&&', '||', ...'[]{}()<>.,:?-!+*/%'];
const reservedWords = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const patterns = {
  space: /[\t\n\f\r ]+|\/\/[^\n]*/y,
  float: /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y,
  integer: /(?:0x[0-9a-fA-F]+|\d+)(u?)/iy,
  ident: /[A-Za-z_][A-Za-z0-9_]*/y,
  escaped: /`([A-Za-z0-9_.\-/ ]+)`/y,
};

export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  let index = 0;
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = index;
    return pattern.exec(source);
  };
  const advance = (text: string): void => {
    index += text.length;
    at += [...text].length;
  };
  while (index < source.length) {
    const space = take(patterns.space);
    if (space) {
      advance(space[0]);
      continue;
    }
    const found = tokenAt(source, index, at, take, issues);
    if (found) {
      tokens.push(found.token);
      advance(found.text);
      continue;
    }
    const unclosed = stringLiteralAt(source, index);
    const sign =
      typeof unclosed === 'number' ? source.slice(index, unclosed) : String.fromCodePoint(source.codePointAt(index)!);
    issues.push({ at, message: `Syntax error: token recognition error at: '${sign}'` });
    advance(sign);
  }
  tokens.push({ kind: 'end', text: '<EOF>', at });
  if (issues.length > 0) throw new CompileError(source, issues);
  return tokens;
}

type Taken = { token: Token; text: string } | undefined;

function tokenAt(
  source: string,
  index: number,
  at: number,
  take: (pattern: RegExp) => RegExpExecArray | null,
  issues: Issue[],
): Taken {
  const literal = (text: string, value: Value): Taken => ({ token: { kind: 'literal', text, value, at }, text });
  const text = stringLiteralAt(source, index);
  if (typeof text === 'object')
    return literal(text.prefix + text.quoted, textValue(text.prefix, text.quoted, at, issues));
  const float = take(patterns.float);
  if (float) return literal(float[0], Number(float[0]));
  const integer = take(patterns.integer);
  if (integer) return literal(integer[0], integerValue(integer[0], integer[1] !== '', at, issues));
  const ident = take(patterns.ident);
  if (ident) return { token: { kind: 'ident', text: ident[0], at }, text: ident[0] };
  const escaped = take(patterns.escaped);
  if (escaped) return { token: { kind: 'escaped', text: escaped[1]!, at }, text: escaped[0] };
  const sign = signs.find((one) => source.startsWith(one, index));
  return sign === undefined ? undefined : { token: { kind: 'sign', text: sign, at }, text: sign };
}

export const isReserved = (name: string): boolean => reservedWords.has(name);

function integerValue(text: string, isUnsigned: boolean, at: number, issues: Issue[]): Value {
  const value = BigInt(isUnsigned ? text.slice(0, -1) : text);
  // The sign of the smallest integer is a separate token: overflow is detected later.
  if (value >= 2n ** 64n || (!isUnsigned && value > 2n ** 63n)) {
    issues.push({ at, message: `invalid ${isUnsigned ? 'uint' : 'int'} literal` });
  }
  return isUnsigned ? new Uint(value) : value;
}

function textValue(prefix: string, quoted: string, at: number, issues: Issue[]): Value {
  const marks = quoted.startsWith('"""') || quoted.startsWith("'''") ? 3 : 1;
  const inside = quoted.slice(marks, -marks);
  const isBytes = /b/i.test(prefix);
  if (/r/i.test(prefix)) return isBytes ? Buffer.from(inside) : inside;
  const read = isBytes ? bytesWithEscapes(inside) : textWithEscapes(inside);
  if (read === undefined) issues.push({ at, message: 'Syntax error: invalid escape in string literal' });
  return read ?? '';
}
