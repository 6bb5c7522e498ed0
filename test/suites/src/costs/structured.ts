/** Texts that are costly by their structure rather than by their letters: objects, and what is sent about them. */

import type { Read } from './growth.ts';
import type { Shape } from './texts.ts';

export interface Structured {
  read: Read;
  shapes: Shape[];
  /** Of the shortest text. */
  length: number;
}

export const [little, some, much] = [8 * 1024, 32 * 1024, 64 * 1024];

export type Make = (count: number) => object;

export const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
export const named = (count: number) => many(count, (index) => ({ name: `n${index}`, image: 'x' }));
export const fields = (count: number) => Object.fromEntries(many(count, (index) => [`k${index}`, 'v']));
export const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** The object as it is, and on the next line what is sent. */
export const pair = (name: string, cost: number, old: Make, sent: Make): Shape => ({
  name,
  make(length) {
    const count = Math.floor(length / cost);
    return `${JSON.stringify(old(count))}\n${JSON.stringify(sent(count))}`;
  },
});
export const halves = (text: string): [old: string, sent: string] => [
  text.slice(0, text.indexOf('\n')),
  text.slice(text.indexOf('\n') + 1),
];

export const configMap = (data: object, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'd', uid: 'u', ...more },
  data,
});
export const pod = (spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'd' }, spec });

/** A schema is a recursive type: fields that Kubernetes knows, as deep as the text is long. */
export const schemaDepth = (depth: number, innermost: string): string =>
  `${'{"not":'.repeat(depth)}${innermost}${'}'.repeat(depth)}`;
export const definition = (schema: string): string =>
  `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"a"},"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":${schema}}}]}}`;
/** `make` of so many, as JSON; each takes about `cost` bytes. */
export const listed = (name: string, cost: number, make: (count: number) => unknown): Shape => ({
  name,
  make: (length) => JSON.stringify(make(Math.floor(length / cost))),
});

/** One thing again and again. */
export const repeated = (before: string, unit: string, after: string) => (length: number) =>
  `${before}${unit.repeat(length / unit.length)}${after}`;
