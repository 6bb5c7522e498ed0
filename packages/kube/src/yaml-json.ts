/** Converts YAML to JSON as Kubernetes does (sigs.k8s.io/yaml): YAML 1.1 scalars without times, and no digit lost. */

import { parseDocument, type Tags } from 'yaml';
import { badRequest, StatusError } from './status.ts';
import { goNumbers, readAsGo } from './yaml-as-go.ts';
import { goYamlFault } from './yaml-fault.ts';

/** Go's parser keeps dates and times as strings, and has its own rules for numbers. */
const notResolved = ['timestamp', 'int', 'float', 'binary', 'omap', 'pairs', 'set'];

const nameOf = (tag: Tags[number]): string =>
  typeof tag === 'string' ? tag : tag.tag.replace('tag:yaml.org,2002:', '');

/** Recognises `.inf` and `.nan`. */
const isNoNumber = (tag: Tags[number]): boolean =>
  typeof tag !== 'string' && 'test' in tag && tag.test?.test('.nan') === true;

const goTags = (tags: Tags): Tags => [
  ...tags.filter((tag) => isNoNumber(tag) || !notResolved.includes(nameOf(tag))),
  ...goNumbers,
];

/** Aliases can expand to far more than was sent. */
const mostAliases = 1_000;
const longest = 16 * 1024 * 1024;

export function jsonOfYaml(text: string): Buffer {
  const document = parseDocument(text, {
    version: '1.1',
    intAsBigInt: true,
    uniqueKeys: false,
    merge: true,
    customTags: goTags,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error) throw badRequest(`error converting YAML to JSON: yaml: ${goYamlFault(error, text)}`);
  try {
    readAsGo(document.contents, text);
    const value: unknown = document.toJS({ maxAliasCount: mostAliases });
    return Buffer.from(JSON.stringify(value, boundedJson()) ?? 'null');
  } catch (cause) {
    if (cause instanceof StatusError) throw cause;
    throw badRequest('error converting YAML to JSON', { cause });
  }
}

/** From ES2026; TypeScript has no type for it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function boundedJson() {
  let length = 0;
  return (_key: string, value: unknown): unknown => {
    length += typeof value === 'string' ? value.length : 1;
    if (length > longest) throw badRequest('error converting YAML to JSON: yaml: document contains excessive aliasing');
    return jsonValue(value);
  };
}

/** 64-bit integers keep their digits; values that JSON cannot represent are refused, as in Go. */
function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return rawJSON(String(value));
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw badRequest(`error converting YAML to JSON: json: unsupported value: ${value}`);
  }
  return value;
}
