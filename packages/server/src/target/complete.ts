/** Completes a target with what its body says: the cluster may be named there (NAME-2). */

import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import { type RequestBody, readRequestBody, unsupportedMediaType } from '@fleet/kube/request-body.ts';
import { badRequest, StatusError } from '@fleet/kube/status.ts';
import { type BodyNames, bodyNames, type IsCluster } from './body-name.ts';
import { oneCluster } from './mention.ts';
import { mustNameCluster } from './must-name-cluster.ts';
import { completeReview, isReview } from './review.ts';
import type { ParsedTarget, RawBody, Target, View } from './target.ts';

/** `raw` is the request's body, where it has one and `mentions` says that it is to be read. */
export function completeTarget(parsed: ParsedTarget, raw: RawBody | undefined, isCluster: IsCluster): Target {
  const { mentions, place, ...rest } = parsed;
  if (mentions && isReview(parsed.ask)) return completeReview(parsed, mentions, raw);
  if (!mentions || !raw?.bytes.length) {
    if (place.at === 'in-body') throw mustNameCluster(parsed.wire.path);
    return { ...rest, place, ...(raw ? { body: raw } : {}) };
  }
  const read = readConcerning(parsed, raw);
  const names = read && namesIn(read, parsed, isCluster);
  const body = { ...raw, ...(read ? { read } : {}) };
  if (!names?.named) {
    if (place.at !== 'in-body') return { ...rest, place, body };
    throw read ? mustNameCluster(parsed.wire.path) : unsupportedMediaType();
  }
  const { text, name, cluster } = names.named;
  oneCluster([...mentions, { cluster, by: 'body', text }]);
  const { ask } = rest;
  const view: View = rest.view.names === 'plain' ? { names: 'name-suffixed' } : rest.view;
  return {
    ...rest,
    ask: ask.is === 'resource' && ask.name === undefined ? { ...ask, name: names.name } : ask,
    view,
    // Whatever else named a cluster named this one; where nothing did, a default gives way (AUTHZ-4).
    place: { at: 'one', cluster },
    body: { ...body, renamed: { text, name } },
  };
}

/** One place, names plain: what goes there is hardly ever for us to change. */
const isPlainPlace = ({ place, view }: ParsedTarget): boolean => place.at === 'one' && view.names === 'plain';

/** What holds neither a suffix, nor the virtual label, nor a merged version need not be understood. */
const mayConcernUs = ({ bytes }: RawBody): boolean => bytes.includes('clusterspace') || bytes.includes('"eyJ');

/**
 * Undefined for what is not for us to read. One that nobody can read goes on, too: its cluster tells what is wrong with it
 * in its own words. But what may name another cluster must not get by because it is damaged.
 */
function readConcerning(parsed: ParsedTarget, raw: RawBody): RequestBody | undefined {
  const isConcerned = mayConcernUs(raw);
  if (isPlainPlace(parsed) && !isConcerned) return undefined;
  try {
    return readRequestBody(raw.bytes, raw.contentType);
  } catch (error) {
    const isDamaged = error instanceof StatusError && error.code === 400;
    if (isDamaged && !isConcerned && parsed.place.at !== 'in-body') return undefined;
    throw error;
  }
}

/** Undefined for a patch, which names nothing, and for what is no JSON, which its reader will say. */
function namesIn(body: RequestBody, { ask, place }: ParsedTarget, isCluster: IsCluster): BodyNames | undefined {
  if (body.is === 'json-patch') return undefined;
  try {
    return bodyNames(body.json, ask.is === 'resource' && ask.verb === 'create', isCluster);
  } catch (cause) {
    if (!(cause instanceof JsonBytesError)) throw cause;
    if (place.at === 'in-body') throw badRequest('the body of the request is not valid JSON', { cause });
    return undefined;
  }
}
