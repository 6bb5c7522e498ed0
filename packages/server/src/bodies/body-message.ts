/** The messages between worker threads. Class instances do not survive them: errors are sent as Status, and buffers are made again. */

import { type Status, StatusError } from '@fleet/kube/status.ts';
import type { BodyWork } from './body-work.ts';

export interface BodyJob {
  work: keyof BodyWork;
  input: unknown[];
}

export type BodyResult = { is: 'done'; output: unknown } | { is: 'refused'; status: Status };

/** Bodies are nested no deeper than this: `[target, { read: { json } }]`. */
const deepest = 3;

/** Changes the value in place: a Buffer arrives as a Uint8Array, and is wrapped again. */
export function withBuffers<T>(value: T, depth = 0): T {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength) as unknown as T;
  if (typeof value !== 'object' || value === null || depth === deepest) return value;
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) object[key] = withBuffers(object[key], depth + 1);
  return value;
}

export const errorOf = ({ code, reason = '', message, details }: Status): StatusError =>
  new StatusError(code, reason, message, details);
