/** Formats objects as kubectl does: JSON and YAML as written by Go, with sorted keys. */

import { stringify } from 'yaml';

const indent = '    ';

/** Go escapes what HTML would misread. */
const escapes: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

const text = (value: string): string => JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (sign) => escapes[sign]!);

/** `depth`: of the line it stands in. Numbers too large for JavaScript are BigInt. */
export function goJson(value: unknown, depth = 0): string {
  const inner = indent.repeat(depth + 1);
  const block = (open: string, parts: string[], close: string) =>
    parts.length === 0
      ? open + close
      : `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent.repeat(depth)}${close}`;
  if (Array.isArray(value)) {
    return block(
      '[',
      value.map((one) => goJson(one, depth + 1)),
      ']',
    );
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    const parts = entries.sort(byKey).map(([key, one]) => `${text(key)}: ${goJson(one, depth + 1)}`);
    return block('{', parts, '}');
  }
  return typeof value === 'string' ? text(value) : String(value);
}

/** On one line. */
export function compactGoJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compactGoJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    return `{${entries
      .sort(byKey)
      .map(([key, one]) => `${text(key)}:${compactGoJson(one)}`)
      .join(',')}}`;
  }
  return typeof value === 'string' ? text(value) : String(value);
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);

/** YAML 1.1, where dates and words like `yes` need quotes. */
export const goYaml = (value: unknown): string =>
  stringify(value, {
    sortMapEntries: true,
    indentSeq: false,
    lineWidth: 0,
    version: '1.1',
    aliasDuplicateObjects: false,
  });

/** Integers that a number cannot hold stay exact. */
export function parseExactly(json: string): unknown {
  return JSON.parse(json, (_, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context?.source ?? '';
    return /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}
