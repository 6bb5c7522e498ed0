/** Resolves field paths of rules and selectable fields in a schema: `.spec.x`, `.spec['a.b']`. */

import { propertyOf, type Schema } from '../../schema/open-api.ts';

export interface FieldAt {
  /** For errors, without a leading dot. */
  path: string;
  /** The first name. */
  root: string;
  schema: Schema;
}

const quoted: { [sign: string]: string } = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

const token = /'(?:\\[\s\S]|[^'\\])*'|[.[\]]|[^.[\]]+/g;

/** The resolved field, or the error text. */
export function resolvePath(path: string, from: Schema, allowsBrackets = true): FieldAt | string {
  const tokens = path.match(token) ?? [];
  let schema = from;
  let shown = '';
  let root = '';
  for (let index = 0; index < tokens.length; index += 2) {
    const sign = tokens[index]!;
    if (sign === '[' && !allowsBrackets) return 'array notation is not allowed';
    if (sign !== '.' && sign !== '[') return `expected [ or . but got: ${sign}`;
    const text = tokens[index + 1];
    if (text === undefined) return 'unexpected end of JSON path';
    const name = sign === '[' ? unquoted(text) : text;
    if (name === undefined) return `expected single quoted string but got ${text}`;
    const { properties, additionalProperties } = schema;
    if (!properties && typeof additionalProperties !== 'object') return 'does not refer to a valid field';
    const next = properties ? propertyOf(schema, name) : (additionalProperties as Schema);
    if (!next) return 'does not refer to a valid field';
    shown = properties ? (shown ? `${shown}.${name}` : name) : `${shown}[${name}]`;
    root ||= name;
    schema = next;
    if (sign !== '[') continue;
    const close = tokens[index + 2];
    if (close !== ']') return close === undefined ? 'unexpected end of JSON path' : `expected ] but got ${close}`;
    index++;
  }
  return { path: shown, root, schema };
}

export function fieldAt(path: string, schema: Schema): FieldAt | undefined {
  const found = resolvePath(path, schema);
  return typeof found === 'string' ? undefined : found;
}

function unquoted(text: string): string | undefined {
  if (!/^'[\s\S]*'$/.test(text) || text.length < 2) return undefined;
  return text.slice(1, -1).replace(/\\([\s\S])/g, (_, sign: string) => quoted[sign] ?? '');
}
