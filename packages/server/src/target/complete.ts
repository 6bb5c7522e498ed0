/** Completes a target from its body, which may name the cluster (NAME-2). */

import { unsupportedMediaType } from '@fleet/kube/request-body.ts';
import { badRequest, type StatusError } from '@fleet/kube/status.ts';
import { clusterNamed, type IsCluster } from './body-name.ts';
import { type BodyReading, bodyOf } from './body-reading.ts';
import { oneCluster } from './mention.ts';
import { mustNameCluster } from './must-name-cluster.ts';
import { nothingRegistered, type Registrations } from './registered.ts';
import { completeReview } from './review.ts';
import { isReview } from './review-spec.ts';
import type { ParsedTarget, Place, Target, View } from './target.ts';

/** `reading`: of the request's body, if it has one and `mentions` requires reading it. */
export function completeTarget(
  parsed: ParsedTarget,
  reading: BodyReading | undefined,
  isCluster: IsCluster,
  registrations: Registrations = nothingRegistered,
): Target {
  const { mentions, place, ...rest } = parsed;
  if (mentions && isReview(parsed.ask)) return completeReview(parsed, mentions, reading, registrations);
  const isCreate = parsed.ask.is === 'resource' && parsed.ask.verb === 'create';
  const inBody = reading?.names && clusterNamed(reading.names, isCreate, isCluster);
  if (!reading || !inBody?.named) {
    const where = place.at === 'in-body' ? unnamedPlace(parsed, reading) : place;
    return { ...rest, place: where, ...(reading ? { body: bodyOf(reading) } : {}) };
  }
  const { text, name, cluster } = inBody.named;
  oneCluster([...(mentions ?? []), { cluster, by: 'body', text }]);
  const { ask } = rest;
  const view: View = rest.view.names === 'plain' ? { names: 'name-suffixed' } : rest.view;
  return {
    ...rest,
    ask: ask.is === 'resource' && ask.name === undefined ? { ...ask, name: inBody.name } : ask,
    view,
    // If anything named a cluster, it is this one; otherwise it replaces the default (AUTHZ-4).
    place: { at: 'one', cluster },
    body: { ...bodyOf(reading), renamed: { text, name } },
  };
}

/** With federation on, a readable body that names no cluster is a template. The control plane reports what it lacks (NAME-6). */
function unnamedPlace(parsed: ParsedTarget, reading: BodyReading | undefined): Place {
  const isEmpty = !reading?.raw.bytes.length;
  if (parsed.templates && (isEmpty || reading?.names)) return { at: 'template' };
  throw unnamed(parsed, reading);
}

/** Why the body names no cluster. */
function unnamed(parsed: ParsedTarget, reading: BodyReading | undefined): StatusError {
  if (!reading?.raw.bytes.length || reading.names || reading.read?.is === 'json-patch') return mustNameCluster(parsed);
  return reading.read ? badRequest('the body of the request is not valid JSON') : unsupportedMediaType();
}
