/** Writes that a server was asked for, by verb, resource and answer: `create works`, `patch works/status`, `update deployments refused`. */

export type WriteCounts = Record<string, number>;

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

const resourcePath =
  /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/(?:namespaces\/[^/]+\/(?!status$|finalize$))?([^/]+)(?:\/[^/]+(?:\/([^/]+))?)?$/;

/** Undefined for what is no write of an object: reads, and reviews of permissions. */
export function writeOf(method: string, url: string): string | undefined {
  const verb = verbs[method];
  const [path = ''] = url.split('?');
  const [, resource, subresource] = resourcePath.exec(path) ?? [];
  if (!verb || !resource || resource.endsWith('reviews')) return undefined;
  return `${verb} ${resource}${subresource ? `/${subresource}` : ''}`;
}

/** A conflict is answered with 409, and nothing is written. */
export const countedAs = (write: string, code: number): string => (code >= 400 ? `${write} refused (${code})` : write);

export function add(counts: WriteCounts, name: string, count = 1): void {
  counts[name] = (counts[name] ?? 0) + count;
}

export function minus(after: WriteCounts, before: WriteCounts): WriteCounts {
  const entries = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(entries.filter(([, count]) => count > 0));
}

const isRefused = (name: string): boolean => name.includes('refused');
/** Events describe what happened and are not part of the state. */
const isEvent = (name: string): boolean => / events\b/.test(name);
/** Heartbeats go on while nothing is propagated. */
const isHeartbeat = (name: string): boolean => / (?:leases|clusters\/status)\b/.test(name);

export interface Totals {
  /** Of the state: templates, bindings, Works, objects of members. */
  written: number;
  events: number;
  refused: number;
}

export function totalsOf(counts: WriteCounts): Totals {
  const totals: Totals = { written: 0, events: 0, refused: 0 };
  for (const [name, count] of Object.entries(counts)) {
    if (isHeartbeat(name)) continue;
    if (isRefused(name)) totals.refused += count;
    else if (isEvent(name)) totals.events += count;
    else totals.written += count;
  }
  return totals;
}

/** The most frequent first. */
export const listOf = (counts: WriteCounts, per: number): string =>
  Object.entries(counts)
    .filter(([name]) => !isHeartbeat(name))
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${(count / per).toFixed(2)}`)
    .join(', ');
