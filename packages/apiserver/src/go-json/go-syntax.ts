/** Go's error for a text that is not JSON: a port of encoding/json's scanner. */

import { GoFault } from './go-fault.ts';

const space = 0x20;
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

const isSpace = (byte: number): boolean => byte === space || byte === 0x09 || byte === 0x0a || byte === 0x0d;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean => /[\da-fA-F]/.test(String.fromCharCode(byte));

/** Undefined if it is JSON. */
export function goSyntaxFault(text: Uint8Array): string | undefined {
  try {
    new Scan(text).whole();
    return undefined;
  } catch (fault) {
    if (fault instanceof GoFault) return fault.message;
    throw fault;
  }
}

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'end of value';

class Scan {
  readonly #text: Uint8Array;
  readonly #within: ('array' | 'object')[] = [];
  #at = 0;

  constructor(text: Uint8Array) {
    this.#text = text;
  }

  whole(): void {
    for (let expected: Expected | undefined = 'value'; expected; ) {
      while (isSpace(this.#text[this.#at] ?? 0)) this.#at += 1;
      const byte = this.#text[this.#at];
      if (byte === undefined) {
        if (expected === 'end of value' && this.#within.length === 0) return;
        throw new GoFault('unexpected end of JSON input');
      }
      expected = this.#step(expected, byte);
    }
  }

  #step(expected: Expected, byte: number): Expected {
    switch (expected) {
      case 'first value':
        return byte === closeArray ? this.#close() : this.#value(byte);
      case 'value':
        return this.#value(byte);
      case 'first key':
        return byte === closeObject ? this.#close() : this.#key(byte);
      case 'key':
        return this.#key(byte);
      case 'end of value':
        return this.#afterValue(byte);
      default:
        return expected satisfies never;
    }
  }

  #close(): Expected {
    this.#at += 1;
    this.#within.pop();
    return 'end of value';
  }

  #value(byte: number): Expected {
    switch (byte) {
      case openObject:
        return this.#open('object', 'first key');
      case openArray:
        return this.#open('array', 'first value');
      case quote:
        this.#string();
        break;
      case 0x74:
        this.#literal('true');
        break;
      case 0x66:
        this.#literal('false');
        break;
      case 0x6e:
        this.#literal('null');
        break;
      default:
        if (byte !== 0x2d && !isDigit(byte)) throw this.#unexpected('looking for beginning of value');
        this.#number();
    }
    return 'end of value';
  }

  #open(what: 'array' | 'object', next: Expected): Expected {
    this.#within.push(what);
    this.#at += 1;
    return next;
  }

  #key(byte: number): Expected {
    if (byte !== quote) throw this.#unexpected('looking for beginning of object key string');
    this.#string();
    while (isSpace(this.#text[this.#at] ?? 0)) this.#at += 1;
    if (this.#text[this.#at] === undefined) throw new GoFault('unexpected end of JSON input');
    if (this.#text[this.#at] !== colon) throw this.#unexpected('after object key');
    this.#at += 1;
    return 'value';
  }

  #afterValue(byte: number): Expected {
    switch (this.#within.at(-1)) {
      case 'object':
        if (byte === closeObject) return this.#close();
        if (byte !== comma) throw this.#unexpected('after object key:value pair');
        this.#at += 1;
        return 'key';
      case 'array':
        if (byte === closeArray) return this.#close();
        if (byte !== comma) throw this.#unexpected('after array element');
        this.#at += 1;
        return 'value';
      default:
        throw this.#unexpected('after top-level value');
    }
  }

  #string(): void {
    for (this.#at += 1; ; this.#at += 1) {
      const byte = this.#text[this.#at];
      if (byte === undefined) throw new GoFault('unexpected end of JSON input');
      if (byte < space) throw this.#unexpected('in string literal');
      if (byte === quote) break;
      if (byte === backslash) this.#escape();
    }
    this.#at += 1;
  }

  #escape(): void {
    this.#at += 1;
    const sign = String.fromCharCode(this.#here());
    if (!'bfnrt\\/"u'.includes(sign)) throw this.#unexpected('in string escape code');
    for (let digits = sign === 'u' ? 4 : 0; digits > 0; digits -= 1) {
      this.#at += 1;
      if (!isHex(this.#here())) throw this.#unexpected('in \\u hexadecimal character escape');
    }
  }

  #literal(word: string): void {
    for (const [at, letter] of [...word].entries()) {
      if (at > 0 && this.#here() !== letter.charCodeAt(0))
        throw this.#unexpected(`in literal ${word} (expecting '${letter}')`);
      this.#at += 1;
    }
  }

  #number(): void {
    if (this.#here() === 0x2d) this.#at += 1;
    if (!isDigit(this.#here())) throw this.#unexpected('in numeric literal');
    if (this.#here() === 0x30) this.#at += 1;
    else this.#digits('in numeric literal');
    if (this.#here() === 0x2e) {
      this.#at += 1;
      this.#digits('after decimal point in numeric literal');
    }
    if ((this.#here() | space) === 0x65) {
      this.#at += 1;
      if (this.#here() === 0x2b || this.#here() === 0x2d) this.#at += 1;
      this.#digits('in exponent of numeric literal');
    }
  }

  #digits(place: string): void {
    if (!isDigit(this.#here())) throw this.#unexpected(place);
    while (isDigit(this.#here())) this.#at += 1;
  }

  /** Go treats the end of a text like a space. */
  #here(): number {
    return this.#text[this.#at] ?? space;
  }

  #unexpected(place: string): GoFault {
    return new GoFault(`invalid character ${sign(this.#here())} ${place}`);
  }
}

const escapes = new Map([...'abtnvfr'].map((letter, index) => [index + 7, letter] as const))
  .set(backslash, '\\')
  .set(0x27, "'");

/** Each byte is shown as a character of its own. */
function sign(byte: number): string {
  const named = escapes.get(byte);
  if (named) return `'\\${named}'`;
  const hex = byte.toString(16).padStart(2, '0');
  if (byte < space || byte === 0x7f) return `'\\x${hex}'`;
  const isPrintable = byte < 0x7f || (byte > 0xa0 && byte !== 0xad);
  return isPrintable ? `'${String.fromCharCode(byte)}'` : `'\\u00${hex}'`;
}
