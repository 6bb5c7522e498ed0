/** One write that a real kube-apiserver answered, and what is to be checked. */

import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import type { Action } from './generate.ts';

export interface Trial {
  number: number;
  kind: string;
  action: Action;
  /** Before the write; nothing if it created the object. */
  live: JsonObject | null;
  body: JsonValue;
  manager: string;
  force: boolean;
  /** What the server answered, an object or a Status. */
  code: number;
  answer: JsonObject;
}

export interface OurAnswer {
  /** As the patch makes it, before decoding and defaulting. */
  object?: JsonObject;
  managedFields?: JsonValue;
  error?: { code: number; message: string; causes?: JsonValue };
}
