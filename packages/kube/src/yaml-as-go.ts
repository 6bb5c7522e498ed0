/** Where Go's YAML parser, which speaks for kube-apiserver, reads something else than ours: mended, or refused. */

import { isMap, isScalar, isSeq, type Node, type Scalar, type ScalarTag } from 'yaml';
import { badRequest, type StatusError } from './status.ts';

const refused = (why: string): StatusError => badRequest(`error converting YAML to JSON: ${why}`);

/** Longer ones are no 64-bit integers, in whatever base. */
const longestInteger = 70;
const integer = /^[-+]?(?:0x[\da-f]+|0b[01]+|0o?[0-7]+|[1-9]\d*|0)$/i;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i;

/** `strconv.ParseInt` and `ParseUint` with base 0: undefined beyond 64 bits. */
function integerOf(plain: string): bigint | undefined {
  if (plain.length > longestInteger || !integer.test(plain)) return undefined;
  const isSigned = /^[-+]/.test(plain);
  const size = BigInt((isSigned ? plain.slice(1) : plain).replace(/^0(?=[0-7])/, '0o'));
  const value = plain.startsWith('-') ? -size : size;
  return value >= -(2n ** 63n) && value < 2n ** (isSigned ? 63n : 64n) ? value : undefined;
}

/** What is too large for an integer is a float, what is too large for that is a text. */
function numberOf(text: string): bigint | number | string {
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '');
  const value = integerOf(plain) ?? (float.test(plain) ? Number(plain) : undefined);
  return value === undefined || value === Infinity || value === -Infinity ? text : value;
}

export const goNumbers: ScalarTag[] = ['int', 'float'].map((name) => ({
  tag: `tag:yaml.org,2002:${name}`,
  default: true,
  test: /^[-+.\d]/,
  resolve: numberOf,
}));

/** Lines end there too, for Go. */
const oddBreaks = /\r(?!\n)|[\x85\u2028\u2029]/g;
/** In quotes, and nothing around it to fold: it stays as it is, for Go as for us. */
const keptBreaks = /(?<![\s\\])[\u2028\u2029](?!\s)/g;

const countOf = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;

const deepest = 1_000;

/** Goes through a document, without recursion: the library converts by it, so depth is refused. */
export function readAsGo(root: Node | null, text: string): void {
  let left = countOf(oddBreaks, text);
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw refused('exceeded max depth');
    level = level.flatMap((node) => {
      if (isMap(node)) return node.items.flatMap(({ key, value }) => [checkedKey(key), value]);
      if (left > 0 && isQuoted(node)) left -= countOf(keptBreaks, text.slice(node.range?.[0], node.range?.[1]));
      if (isScalar(node)) endAtEnd(node, text);
      return isSeq(node) ? node.items : [];
    });
  }
  if (left > 0) throw refused('yaml: line breaks other than LF and CRLF are only supported in quotes');
}

function checkedKey(key: unknown): unknown {
  if (isMap(key) || isSeq(key)) throw refused('yaml: invalid map key');
  if (isScalar(key) && key.value === null) throw refused('unsupported map key of type: null');
  return key;
}

const isQuoted = (node: unknown): node is Scalar =>
  isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');

/** A block of text that ends with the document, in the middle of a line, ends without a line break. */
function endAtEnd(node: Scalar, text: string): void {
  if (node.type !== 'BLOCK_LITERAL' && node.type !== 'BLOCK_FOLDED') return;
  const isLast = (node.range?.[1] ?? 0) >= text.length && !text.endsWith('\n');
  if (isLast && typeof node.value === 'string') node.value = node.value.replace(/\n$/, '');
}
