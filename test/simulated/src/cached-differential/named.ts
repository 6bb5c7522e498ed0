/** GETs of one object at the aggregation endpoint, from a seed, beside the same asked of the members (CACHE-7, CACHE-17). */

import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@fleet/differential/random.ts';
import { isOlder } from '@fleet/kube/version-order.ts';
import { endpoint, mapIn } from '../registering.ts';
import type { Answer } from '../request.ts';
import { names } from './churn.ts';
import type { Outcome } from './comparison.ts';
import { type Connection, withQuery } from './connection.ts';
import { collectionOf, namespaces, type Resource, resources } from './kinds.ts';
import { forms, type GeneratedRequest } from './requests.ts';
import { firstDifference, shown } from './shown.ts';

export function generateNamed(random: Random, of: readonly Resource[] = resources): GeneratedRequest {
  const resource = random.pick(of);
  const namespace = resource.namespaced ? random.pick(namespaces) : undefined;
  const plain = nameOf(resource, random);
  const name = random.chance(0.5)
    ? plain
    : `${plain}.clusterspace.${random.pick(['member1', 'member1', 'member2', 'member3'])}`;
  const { headers, query } = random.weighted(forms);
  const version = random.weighted<Record<string, string>>([
    [5, {}],
    [3, { resourceVersion: '0' }],
    [1, { resourceVersion: '1' }],
    [0.3, { resourceVersion: 'garbage' }],
  ]);
  return {
    as: random.chance(0.15) ? 'limited' : 'admin',
    path: `${endpoint}${collectionOf(resource, namespace)}/${encodeURIComponent(name)}`,
    headers: objectForm(headers),
    query: { ...query, ...version },
    crossed: false,
  };
}

function nameOf({ plural }: Resource, random: Random): string {
  if (plural === 'namespaces') return random.pick([...namespaces, 'nowhere']);
  return plural === 'nodes' ? random.pick(['node-1', 'member1-node-1']) : random.pick(names);
}

/** Of one object, not of a list. */
const objectForm = ({ accept, ...others }: Record<string, string>): Record<string, string> =>
  accept === undefined ? others : { ...others, accept: accept.replace('MetadataList', 'Metadata') };

/** In milliseconds: what is written past the product may be missing from the cache by the delay of a stream (CACHE-7). */
const streamDelay = 2_000;
/** On a busy machine two requests alone take longer than that, and objects change between them. */
const leastAttempts = 20;

/** A GET cannot be asked for at a version: both are asked again where the object has changed between them. */
export async function compareNamed(
  to: Connection,
  { path, query, headers }: GeneratedRequest,
  stopped: ReadonlySet<string>,
): Promise<Outcome> {
  const last = performance.now() + streamDelay;
  for (let attempt = 1; ; attempt++) {
    const isLast = performance.now() > last && attempt >= leastAttempts;
    const cached = await to.get(path, query, headers);
    const live = await to.get(path, { ...query, consistent: 'true' }, headers);
    const [one, other] = [shownOnce(cached), shownOnce(live)];
    if (one === other) return { is: 'same', pages: 1, versions: [] };
    const isUnwell = [cached, live].some(
      ({ status, headers: { warning } }) => status === 503 || String(warning).includes('was not looked in'),
    );
    // Of an unreachable member the cache has what it had, which counts (CACHE-12).
    if (isUnwell || stopped.size > 0) return { is: 'incomparable', why: 'a member cannot be reached' };
    if (isLast && query['resourceVersion'] && isOlder(ownVersion(one), ownVersion(other))) {
      return { is: 'incomparable', why: 'not the newest, as it was asked for' };
    }
    if (isLast) {
      return { is: 'different', why: `${withQuery(path, query)} differs ${firstDifference(one, other)}` };
    }
    await delay(50);
  }
}

/** The first that it shows is the object's, or of its Table. */
const ownVersion = (text: string): string => /"resourceVersion":"(?:of )?(\d+)"/.exec(text)?.[1] ?? '';

/** Of the map of all clusters only that of the object's own counts: the others move with whatever happens there. */
function shownOnce(answer: Answer): string {
  const text = shown(answer);
  const [, cluster = ''] = /"(?:resource\.karmada\.io\/cached-from-cluster|clusterspace)":"([^"]*)"/.exec(text) ?? [];
  return text.replace(
    /"resourceVersion":"(ey[^"]*)"/g,
    (_, map: string) => `"resourceVersion":"of ${mapIn(map)[cluster]}"`,
  );
}
