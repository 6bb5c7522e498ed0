/** A request to rules of kinds and its answer, as lines of `kube-rules` have them (test/bed/README.md). */

export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [field: string]: Json;
}

export interface RuleRequest {
  op?: 'create' | 'update' | 'updateStatus' | 'delete' | 'default';
  object?: JsonObject;
  /** The stored object; one without a uid is created first. */
  old?: JsonObject;
  subresource?: string;
  namespace?: string;
  fieldValidation?: 'Warn' | 'Strict' | 'Ignore';
  options?: JsonObject;
}

export interface Cause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface Status {
  code: number;
  reason?: string;
  message?: string;
  details?: { name?: string; group?: string; kind?: string; causes?: Cause[] };
}

export interface RuleAnswer {
  object?: JsonObject;
  status?: Status;
  warnings?: string[];
  graceful?: boolean;
  pending?: boolean;
  /** Why there is no answer. */
  error?: string;
}
