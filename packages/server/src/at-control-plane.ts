/** Requests to the control plane that continue from the resource version of a merged list (RV-6). */

import { expired } from '@fleet/kube/status.ts';
import { namesVersionOf, resumesMerged, withOwnVersion } from './find/own-version.ts';
import { isPageToken } from './merge/page-token.ts';
import { expiredPage } from './merge/settle-later.ts';
import { karmada, type PlacelessTarget } from './target/target.ts';

const reading: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/**
 * The aggregation endpoint reads a kind from members only while it is registered. Afterwards the control plane would answer 400 or 500
 * to a version or continue token of a merged list, and clients would retry for ever. After a 410 they list again.
 */
export function atControlPlane(target: PlacelessTarget): PlacelessTarget {
  const { ask, wire } = target;
  if (ask.is !== 'resource' || !reading.has(ask.verb)) return target;
  if (resumesMerged(target) && !namesVersionOf(target, karmada))
    throw expired('too old resource version: it was returned by a list over members');
  const token = new URLSearchParams(wire.query).get('continue');
  if (token && ask.verb === 'list' && isPageToken(token)) throw expiredPage(undefined);
  return withOwnVersion(target, karmada);
}
