/** Reads from a body what completes its target. Large bodies are read on a worker thread, so all results are plain values (LIMIT-3). */

import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { type RequestBody, readRequestBody } from '@fleet/kube/request-body.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { type WrittenNames, writtenNames } from './body-name.ts';
import { isReview, type ReviewSpec, reviewSpec } from './review-spec.ts';
import type { ParsedTarget, RawBody, TargetBody } from './target.ts';

export interface BodyReading {
  raw: RawBody;
  /** Undefined: the body is sent unchanged, whatever it is. */
  read?: RequestBody;
  /** Undefined for a patch, which names nothing, and for invalid JSON, which the receiver reports. */
  names?: WrittenNames;
  /** Of an access review. */
  spec?: ReviewSpec;
}

/** What is still needed of the body once its target is complete. */
export const bodyOf = ({ raw, read }: BodyReading): TargetBody => ({ ...raw, ...(read ? { read } : {}) });

type Asked = Pick<ParsedTarget, 'ask' | 'place' | 'view'>;

/** All the work whose time depends on the size of a body, before the target is complete. */
export function readTargetBody(asked: Asked, raw: RawBody): BodyReading {
  if (raw.bytes.length === 0) return { raw };
  if (isReview(asked.ask)) {
    const read = readRequestBody(raw.bytes, raw.contentType);
    const spec = read && reviewSpec(read.json);
    return { raw, ...(read ? { read } : {}), ...(spec ? { spec } : {}) };
  }
  const read = readConcerning(asked, raw);
  const names = read && namesIn(read);
  return { raw, ...(read ? { read } : {}), ...(names ? { names } : {}) };
}

/** One place with plain names: such bodies are hardly ever changed. */
const isPlainPlace = ({ place, view }: Asked): boolean => place.at === 'one' && view.names === 'plain';

/** A body without a suffix, the virtual label and a merged version need not be parsed. */
const canConcernUs = ({ bytes }: RawBody): boolean => bytes.includes('clusterspace') || bytes.includes('"eyJ');

/**
 * Undefined if the body is not to be changed. An unreadable body is passed on, too, so that its cluster returns the error. But
 * one that may name another cluster must not be passed on because it is malformed.
 */
function readConcerning(asked: Asked, raw: RawBody): RequestBody | undefined {
  const isConcerned = canConcernUs(raw);
  if (isPlainPlace(asked) && !isConcerned) return undefined;
  try {
    return readRequestBody(raw.bytes, raw.contentType);
  } catch (error) {
    const isDamaged = error instanceof StatusError && error.code === 400;
    if (isDamaged && !isConcerned && asked.place.at !== 'in-body') return undefined;
    throw error;
  }
}

function namesIn(body: RequestBody): WrittenNames | undefined {
  if (body.is === 'json-patch') return undefined;
  try {
    return writtenNames(body.json);
  } catch (error) {
    if (error instanceof JsonBytesError) return undefined;
    throw error;
  }
}
