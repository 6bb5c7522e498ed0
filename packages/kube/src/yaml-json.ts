/** YAML as Kubernetes reads it (sigs.k8s.io/yaml): YAML 1.1 scalars but times, converted to JSON without losing digits. */

import { isMap, isSeq, type Node, parseDocument, type Tags } from 'yaml';
import { badRequest, StatusError } from './status.ts';

/** Go's parser leaves dates, times and `1:30` as the strings they are. */
const notResolved = ['timestamp', 'intTime', 'floatTime', 'binary', 'omap', 'pairs', 'set'];

const goTags = (tags: Tags): Tags =>
  tags.filter((tag) => {
    const name = typeof tag === 'string' ? tag : tag.tag.replace('tag:yaml.org,2002:', '');
    const isTime = typeof tag !== 'string' && 'format' in tag && tag.format === 'TIME';
    return !isTime && !notResolved.includes(name);
  });

/** Aliases can unfold into far more than was sent. */
const mostAliases = 1_000;

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
  if (error) throw badRequest(`error converting YAML to JSON: yaml: ${error.message.split('\n')[0]}`);
  try {
    refuseDepth(document.contents);
    const value: unknown = document.toJS({ maxAliasCount: mostAliases });
    return Buffer.from(JSON.stringify(value, jsonValue) ?? 'null');
  } catch (cause) {
    if (cause instanceof StatusError) throw cause;
    throw badRequest('error converting YAML to JSON', { cause });
  }
}

const deepest = 1_000;

/** The library converts by recursion. */
function refuseDepth(root: Node | null): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw badRequest('error converting YAML to JSON: exceeded max depth');
    level = level.flatMap((node) => {
      if (isMap(node)) return node.items.flatMap(({ key, value }) => [key, value]);
      return isSeq(node) ? node.items : [];
    });
  }
}

/** Of ES2026; TypeScript does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** 64-bit integers keep their digits; what JSON cannot say is refused, as Go refuses it. */
function jsonValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return rawJSON(String(value));
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw badRequest(`error converting YAML to JSON: json: unsupported value: ${value}`);
  }
  return value;
}
