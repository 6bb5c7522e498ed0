/** YAML as Go writes it (sigs.k8s.io/yaml): keys in natural order, lists not indented, its choice of quotes. */

import type { JsonValue } from '@fleet/kube/json-value.ts';
import { Document, Scalar, visit } from 'yaml';

export function goYamlText(value: JsonValue): string {
  const document = new Document(value, { version: '1.1', sortMapEntries: (a, b) => compareKeys(keyOf(a), keyOf(b)) });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== 'string') return;
      if (node.value === '' || controls.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      else if (node.value.includes('\n')) node.type = Scalar.BLOCK_LITERAL;
      else if (isNoString(document, node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ indentSeq: false, singleQuote: true });
}

/** Control characters but line feeds. */
const controls = /[^\P{Cc}\n]/u;

/** Without quotes it would be read as a number, a boolean and the like. */
const isNoString = ({ schema }: Document, text: string): boolean =>
  schema.tags.some((tag) => tag.default && 'test' in tag && tag.test?.test(text));

const keyOf = ({ key }: { key: unknown }): string => String(key instanceof Scalar ? key.value : key);

const isLetter = (sign: string): boolean => /\p{L}/u.test(sign);
const digits = /^\d+/;

/** At the first difference: other signs before letters, and numbers by their value. */
export function compareKeys(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  const at = a.findIndex((sign, index) => sign !== b[index]);
  if (at < 0 || at >= b.length) return a.length - b.length;
  const [mine, its] = [a[at]!, b[at]!];
  if (isLetter(mine) !== isLetter(its)) return isLetter(mine) ? 1 : -1;
  if (!isLetter(mine)) {
    // A 0 behind other digits is part of their number.
    const prefix = (mine === '0' || its === '0') && endsInNumber(a.slice(0, at)) ? '1' : '';
    const [one, other] = [digitsFrom(a, at), digitsFrom(b, at)];
    const byValue = Number(prefix + one || 0) - Number(prefix + other || 0) || one.length - other.length;
    if (byValue !== 0) return byValue;
  }
  return mine.codePointAt(0)! - its.codePointAt(0)!;
}

const endsInNumber = (signs: readonly string[]): boolean =>
  signs.slice(signs.findLastIndex((sign) => !digits.test(sign)) + 1).some((sign) => sign !== '0');

const digitsFrom = (signs: readonly string[], at: number): string => digits.exec(signs.slice(at).join(''))?.[0] ?? '';
