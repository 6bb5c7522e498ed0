/** The two formats of requests to a hook and of its answers. The kind of its configuration decides which one a hook uses. */

import type { AggregatedStatusItem } from '../../api/bindings.ts';
import type { AnyObject, JsonObject } from '../../api/objects.ts';
import type { Dependency, Replicas } from '../object-rules.ts';
import { AnswerError } from './answer-fields.ts';
import { exploreCodec } from './explore-codec.ts';
import type { Codec, FactsOfKind, Hook, Operation } from './hook-model.ts';
import { interpretCodec } from './interpret-codec.ts';
import { parseShallow } from './json-depth.ts';

/** What is asked about an object. */
export type HookRequest = { object: AnyObject } & (
  | { operation: Exclude<Operation, 'revising' | 'retaining' | 'aggregating'> }
  | { operation: 'revising'; replicas: number }
  | { operation: 'retaining'; observed: AnyObject }
  | { operation: 'aggregating'; items: readonly AggregatedStatusItem[] }
);

/** A JSON patch that has been decoded, not yet looked at. Undefined: the object stays as it is. */
export type HookPatch = { operations: unknown } | undefined;

export interface HookAnswers {
  replica: Replicas;
  status: JsonObject;
  packing: HookPatch;
  revising: HookPatch;
  retaining: HookPatch;
  aggregating: HookPatch;
  healthy: boolean;
  dependencies: Dependency[];
}

export interface ReviewCodec {
  /** With the fields of the Go type, in its order. Undefined: there is no such request. */
  review(version: string, uid: string, request: HookRequest): object | undefined;
  /** Throws AnswerError or Unsuccessful. */
  read<Asked extends Operation>(
    operation: Asked,
    version: string,
    uid: string,
    review: unknown,
    factsOf: FactsOfKind,
  ): HookAnswers[Asked];
}

const codecs: Record<Codec, ReviewCodec> = { explore: exploreCodec, interpret: interpretCodec };

/** The body of the request. Undefined: the hook's kind of review has no such operation. */
export function encodeRequest({ codec }: Hook, version: string, uid: string, request: HookRequest): Buffer | undefined {
  const review = codecs[codec].review(version, uid, request);
  return review && Buffer.from(JSON.stringify(review));
}

export interface Asked<Of extends Operation> {
  operation: Of;
  version: string;
  uid: string;
}

export function decodeAnswer<Of extends Operation>(
  { codec }: Hook,
  { operation, version, uid }: Asked<Of>,
  body: Buffer,
  factsOf: FactsOfKind,
): HookAnswers[Of] {
  return codecs[codec].read(operation, version, uid, parse(body), factsOf);
}

function parse(body: Buffer): unknown {
  try {
    return parseShallow(body);
  } catch {
    throw new AnswerError('the answer is not JSON, or nested too deep');
  }
}
