/** What a body says of its target. Large ones are read on another thread, so all of it is values that can be sent there (LIMIT-3). */

import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { type RequestBody, readRequestBody } from '@fleet/kube/request-body.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { type WrittenNames, writtenNames } from './body-name.ts';
import { isReview, type ReviewSpec, reviewSpec } from './review-spec.ts';
import type { ParsedTarget, RawBody, TargetBody } from './target.ts';

export interface BodyReading {
  raw: RawBody;
  /** Undefined: it goes on as it came, whatever it is. */
  read?: RequestBody;
  /** Undefined for a patch, which names nothing, and for what is no JSON, which its reader will say. */
  names?: WrittenNames;
  /** Of a question about rights. */
  spec?: ReviewSpec;
}

/** What is still needed of it once its target is complete. */
export const bodyOf = ({ raw, read }: BodyReading): TargetBody => ({ ...raw, ...(read ? { read } : {}) });

type Asked = Pick<ParsedTarget, 'ask' | 'place' | 'view'>;

/** All that takes time with the size of a body, before it is known where it goes. */
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

/** One place, names plain: what goes there is hardly ever for us to change. */
const isPlainPlace = ({ place, view }: Asked): boolean => place.at === 'one' && view.names === 'plain';

/** What holds neither a suffix, nor the virtual label, nor a merged version need not be understood. */
const mayConcernUs = ({ bytes }: RawBody): boolean => bytes.includes('clusterspace') || bytes.includes('"eyJ');

/**
 * Undefined for what is not for us to read. One that nobody can read goes on, too: its cluster tells what is wrong with it
 * in its own words. But what may name another cluster must not get by because it is damaged.
 */
function readConcerning(asked: Asked, raw: RawBody): RequestBody | undefined {
  const isConcerned = mayConcernUs(raw);
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
