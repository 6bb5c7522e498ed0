/** The distinct label sets, and tuples of selectable field values, of a shard's objects, each stored once. */

import { isRecord } from '@fleet/kube/is-record.ts';
import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { Interned } from './interned.ts';

/** Without a prototype: any text may be a label key, `__proto__` too. */
export type Labels = Readonly<Record<string, string>>;

/** By the JSON text of `metadata.labels`; an object without labels has the empty text. */
export const labelSets = (): Interned<Labels> => new Interned(readLabels, (labels) => Object.keys(labels).length);

/** By the text of `tupleText`. */
export const fieldTuples = (): Interned<readonly string[]> =>
  new Interned<readonly string[]>(readTuple, (values) => values.length);

function readLabels(text: string): Labels {
  const labels = Object.create(null) as Record<string, string>;
  if (text === '') return labels;
  for (const [key, value] of Object.entries(parsed(text))) {
    if (typeof value !== 'string') throw new JsonBytesError('a label that is not a string');
    labels[key] = value;
  }
  return labels;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (cause) {
    throw new JsonBytesError('labels that cannot be parsed', { cause });
  }
  throw new JsonBytesError('labels that are not an object');
}

/** Each value is prefixed with its length, so that different tuples have different texts. */
export const tupleText = (values: readonly string[]): string =>
  values.map((value) => `${value.length}:${value}`).join('');

function readTuple(text: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < text.length; ) {
    const colon = text.indexOf(':', at);
    const end = colon + 1 + Number(text.slice(at, colon));
    values.push(text.slice(colon + 1, end));
    at = end;
  }
  return values;
}
