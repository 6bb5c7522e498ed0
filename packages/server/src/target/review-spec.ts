/** Parses the specs of access reviews. */

import type { Ask } from './target.ts';

export const reviewGroup = 'authorization.k8s.io';

const reviews: ReadonlySet<string> = new Set([
  'selfsubjectaccessreviews',
  'selfsubjectrulesreviews',
  'subjectaccessreviews',
  'localsubjectaccessreviews',
]);

export const isReview = (ask: Ask): boolean =>
  ask.is === 'resource' &&
  ask.group === reviewGroup &&
  ask.verb === 'create' &&
  ask.name === undefined &&
  reviews.has(ask.resource);

const attributeKeys = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name', 'path'] as const;

export type ReviewAttributes = Partial<Record<(typeof attributeKeys)[number], string>>;

export interface ReviewSpec {
  user?: string;
  uid?: string;
  namespace?: string;
  groups: string[];
  extra: Record<string, string[]>;
  resourceAttributes?: ReviewAttributes;
  nonResourceAttributes?: ReviewAttributes;
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for invalid JSON, an empty spec or an invalid value, which the receiver reports. */
export function reviewSpec(json: Buffer): ReviewSpec | undefined {
  try {
    const review: unknown = JSON.parse(json.toString());
    return isObject(review) && isObject(review['spec']) ? specOf(review['spec']) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Unmeant) return undefined;
    throw error;
  }
}

class Unmeant extends Error {}

/** null decodes to an empty object, as in Go. */
const isNothing = (value: unknown): value is undefined | null => value === undefined || value === null;

function objectIn(value: unknown): Json | undefined {
  if (isNothing(value)) return undefined;
  if (!isObject(value)) throw new Unmeant();
  return value;
}

function textsIn(value: unknown): string[] {
  if (isNothing(value)) return [];
  if (!Array.isArray(value)) throw new Unmeant();
  const texts = value.filter((one) => !isNothing(one));
  if (!texts.every((one) => typeof one === 'string')) throw new Unmeant();
  return texts;
}

/** The texts under those of these keys that are present. */
function textsUnder<K extends string>(object: Json, keys: readonly K[]): Partial<Record<K, string>> {
  const present = keys.filter((key) => !isNothing(object[key]));
  if (!present.every((key) => typeof object[key] === 'string')) throw new Unmeant();
  return Object.fromEntries(present.map((key) => [key, object[key]])) as Partial<Record<K, string>>;
}

function specOf(spec: Json): ReviewSpec {
  const resource = objectIn(spec['resourceAttributes']);
  const nonResource = objectIn(spec['nonResourceAttributes']);
  const extra = Object.entries(objectIn(spec['extra']) ?? {}).map(([key, values]) => [key, textsIn(values)] as const);
  return {
    ...textsUnder(spec, ['user', 'uid', 'namespace']),
    groups: textsIn(spec['groups']),
    extra: Object.fromEntries(extra),
    ...(resource ? { resourceAttributes: textsUnder(resource, attributeKeys) } : {}),
    ...(nonResource ? { nonResourceAttributes: textsUnder(nonResource, attributeKeys) } : {}),
  };
}
