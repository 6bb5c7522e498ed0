/** Corrects or refuses YAML that Go's parser, and so kube-apiserver, reads differently from the library used here. */

import { isMap, isScalar, isSeq, type Node, type Scalar, type ScalarTag } from 'yaml';
import { badRequest, type StatusError } from './status.ts';

const refused = (why: string): StatusError => badRequest(`error converting YAML to JSON: ${why}`);

/** Longer numbers do not fit 64 bits, in any base. */
const longestInteger = 70;
const integer = /^[-+]?(?:0x[\da-f]+|0b[01]+|0o?[0-7]+|[1-9]\d*|0)$/i;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i;

/** Like `strconv.ParseInt` and `ParseUint` with base 0: undefined beyond 64 bits. */
function integerOf(plain: string): bigint | undefined {
  if (plain.length > longestInteger || !integer.test(plain)) return undefined;
  const isSigned = /^[-+]/.test(plain);
  const size = BigInt((isSigned ? plain.slice(1) : plain).replace(/^0(?=[0-7])/, '0o'));
  const value = plain.startsWith('-') ? -size : size;
  return value >= -(2n ** 63n) && value < 2n ** (isSigned ? 63n : 64n) ? value : undefined;
}

/** A number too large for an integer is a float; one too large for a float is a string. */
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

/** Go also ends lines at these characters. */
const oddBreaks = /\r(?!\n)|[\x85\u2028\u2029]/g;
/** Within quotes and without surrounding white space to fold, Go keeps them, too. */
const keptBreaks = /(?<![\s\\])[\u2028\u2029](?!\s)/g;

const countOf = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;

const deepest = 1_000;

/** Walks a document without recursion, and refuses depth, as the library converts recursively. */
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

/** A block scalar that ends with the document, without a final line break, has none at its end. */
function endAtEnd(node: Scalar, text: string): void {
  if (node.type !== 'BLOCK_LITERAL' && node.type !== 'BLOCK_FOLDED') return;
  const isLast = (node.range?.[1] ?? 0) >= text.length && !text.endsWith('\n');
  if (isLast && typeof node.value === 'string') node.value = node.value.replace(/\n$/, '');
}
