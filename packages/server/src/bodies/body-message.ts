/** What goes between the threads. Classes do not survive that way: refusals go as Status, and buffers are made again. */

import { type Status, StatusError } from '@fleet/kube/status.ts';
import type { BodyWork } from './body-work.ts';

export interface BodyJob {
  work: keyof BodyWork;
  input: unknown[];
}

export type BodyResult = { is: 'done'; output: unknown } | { is: 'refused'; status: Status };

/** Bodies stand no deeper than this: `[target, { read: { json } }]`. */
const deepest = 3;

/** In place: a buffer arrives as the array of bytes that it is made on. */
export function withBuffers<T>(value: T, depth = 0): T {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength) as unknown as T;
  if (typeof value !== 'object' || value === null || depth === deepest) return value;
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) object[key] = withBuffers(object[key], depth + 1);
  return value;
}

export const errorOf = ({ code, reason = '', message, details }: Status): StatusError =>
  new StatusError(code, reason, message, details);
