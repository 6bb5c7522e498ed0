/** Splits a label selector into tokens, as apimachinery's lexer does. */

export type Token = 'identifier' | 'end' | '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<' | 'in' | 'notin';

export interface Word {
  token: Token;
  literal: string;
}

const symbols = new Set<string>(['(', ')', ',', '!', '=', '==', '!=', '>', '<'] satisfies Token[]);
const isSymbol = (char: string): boolean => '=!(),><'.includes(char);

export function readWords(selector: string): Word[] {
  // Go's lexer takes a zero byte for the end.
  const text = selector.split('\0', 1)[0]!;
  const words: Word[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at]!;
    if (' \t\r\n'.includes(char)) {
      at += 1;
      continue;
    }
    const [word, length] = isSymbol(char) ? readSymbol(text, at) : readIdentifier(text, at);
    words.push(word);
    at += length;
  }
  words.push({ token: 'end', literal: '' });
  return words;
}

const identifier = /[^=!(),><\x20\t\r\n]+/y;

function readIdentifier(text: string, from: number): [Word, number] {
  identifier.lastIndex = from;
  const literal = identifier.exec(text)![0];
  return [{ token: literal === 'in' || literal === 'notin' ? literal : 'identifier', literal }, literal.length];
}

/** The longest operator at this position. */
function readSymbol(text: string, from: number): [Word, number] {
  const two = text.slice(from, from + 2);
  const found = symbols.has(two) ? two : text[from]!;
  return [{ token: found as Token, literal: found }, found.length];
}
