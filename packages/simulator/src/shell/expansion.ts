/** Expands the variables of shell words. */

import type { Part, Word } from './syntax.ts';

export type Lookup = (name: string) => string | undefined;

/** In characters: the limit for one word. */
const longestWord = 64 * 1024;

export class WordTooLong extends Error {}

/** One text, as in assignments: nothing is split. */
export function expandedText(word: Word, lookup: Lookup): string {
  let text = '';
  for (const part of word) {
    text += textOf(part, lookup);
    if (text.length > longestWord) throw new WordTooLong('argument list too long');
  }
  return text;
}

/** The arguments after expansion: unquoted values are split at blanks, and empty ones are dropped. */
export function expandedWords(words: readonly Word[], lookup: Lookup): string[] {
  const textIn = boundedTexts(lookup);
  return words.flatMap((word) => argumentsOf(word, textIn));
}

/** The words of `[[`, which are not split. */
export function unsplitWords(words: readonly Word[], lookup: Lookup): string[] {
  const textIn = boundedTexts(lookup);
  return words.map((word) => word.map(textIn).join(''));
}

/** All words of a command share one limit, as a value may be in many of them. */
function boundedTexts(lookup: Lookup): (part: Part) => string {
  let length = 0;
  return (part) => {
    const text = textOf(part, lookup);
    length += text.length;
    if (length > longestWord) throw new WordTooLong('argument list too long');
    return text;
  };
}

function argumentsOf(word: Word, textIn: (part: Part) => string): string[] {
  const found: string[] = [];
  let current: string | undefined;
  for (const part of word) {
    const value = textIn(part);
    if (part.is === 'text' || part.isQuoted) {
      current = (current ?? '') + value;
      continue;
    }
    const [first = '', ...more] = value.split(/[ \t\n]+/);
    if (first !== '') current = (current ?? '') + first;
    for (const next of more) {
      if (current !== undefined) found.push(current);
      current = next === '' ? undefined : next;
    }
  }
  if (current !== undefined) found.push(current);
  return found;
}

function textOf(part: Part, lookup: Lookup): string {
  switch (part.is) {
    case 'text':
    case 'output':
      return part.text;
    case 'variable': {
      const value = lookup(part.name) ?? '';
      return value === '' && part.fallback !== undefined ? part.fallback : value;
    }
    case 'command':
      throw new Error('a command must be run before its word is expanded');
    default:
      return part satisfies never;
  }
}
