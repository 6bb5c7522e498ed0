/** Sends a request as it is, and once more to the members themselves at the very versions of the answer (CACHE-17). */

import { mapIn } from '../registering.ts';
import type { Answer } from '../request.ts';
import { type Connection, withQuery } from './connection.ts';
import type { GeneratedRequest } from './requests.ts';
import { continueOf, firstDifference, shown, versionOf } from './shown.ts';

export type Outcome =
  | { is: 'same'; pages: number; versions: string[] }
  | { is: 'different'; why: string }
  /** The members no longer have those versions, or cannot be reached: the answers cannot be compared. */
  | { is: 'incomparable'; why: string; later?: () => Promise<Outcome> };

/** Long enough for every list of the suite. */
const mostPages = 60;

export async function compare(to: Connection, { path, query, headers, crossed }: GeneratedRequest): Promise<Outcome> {
  const first = await to.get(path, query, headers);
  if (first.status !== 200) return compareErrors(to, { path, query, headers }, first);
  const version = versionOf(first) ?? '';
  // While a resource is not registered the aggregation endpoint shows the control plane's (CACHE-10).
  if (!isMap(version)) return { is: 'incomparable', why: 'answered by the control plane' };
  const tooOld = laggingBehind(query, version);
  if (tooOld) return { is: 'different', why: tooOld };
  let cached = first;
  let live = await to.get(path, pinned(query, version), headers);
  /** When the members that could not be reached are back. */
  const compareLater = async (what: string): Promise<Outcome> => {
    const again = await to.get(path, pinned(query, version), headers);
    return compareAnswers(what, first, again) ?? { is: 'same', pages: 1, versions: [] };
  };
  for (let page = 1; ; page++) {
    const what = `page ${page} of ${withQuery(path, query)}`;
    const outcome = compareAnswers(what, cached, live);
    if (outcome?.is === 'incomparable' && page === 1) return { ...outcome, later: () => compareLater(what) };
    if (outcome) return outcome;
    const token = continueOf(cached);
    if (!token || page === mostPages) return { is: 'same', pages: page, versions: [version] };
    const { resourceVersion: _, resourceVersionMatch: __, ...rest } = query;
    const liveToken = crossed ? token : continueOf(live)!;
    [cached, live] = await Promise.all([
      to.get(path, { ...rest, continue: token }, headers),
      to.get(path, { ...rest, continue: liveToken, consistent: 'true' }, headers),
    ]);
  }
}

/** Selectors, form and limit stay. With version 0 everything comes at once, whatever the limit. */
function pinned(query: Record<string, string>, version: string): Record<string, string> {
  const { limit, resourceVersion, ...rest } = query;
  const limited = limit === undefined || resourceVersion === '0' ? {} : { limit };
  // A member that refuses its version is left out of the answer, and asked for the same again.
  const all = { ...(isMap(resourceVersion) ? mapIn(resourceVersion) : {}), ...mapIn(version) };
  const map = Buffer.from(JSON.stringify(all)).toString('base64url');
  return { ...rest, ...limited, resourceVersion: map, resourceVersionMatch: 'Exact', consistent: 'true' };
}

const isMap = (version = ''): version is string => !/^\d*$/.test(version);

function compareAnswers(what: string, cached: Answer, live: Answer): Outcome | undefined {
  const { message = '' } = live.body as { message?: string };
  if (isForgotten(live) || live.status === 503) return { is: 'incomparable', why: message };
  // Tables are shown without members that cannot be reached (LIST-4).
  const missing = missingIn(cached, live);
  if (missing) return { is: 'incomparable', why: missing };
  const [one, other] = [shown(cached), shown(live)];
  return one === other ? undefined : { is: 'different', why: `${what} differs ${firstDifference(one, other)}` };
}

/** A member's own 410: the cache may remember more than it. One that misses a cluster is about an answer that left it out. */
const isForgotten = ({ status, body }: Answer): boolean =>
  status === 410 && !(body as { message?: string }).message?.includes('does not name cluster');

const missingIn = (...answers: Answer[]): string | undefined =>
  answers.map(({ headers }) => String(headers['warning'])).find((warning) => warning.includes('is missing from'));

/** Errors have no version. Members change meanwhile, so that both are asked again where they differ. */
async function compareErrors(
  to: Connection,
  { path, query, headers }: Pick<GeneratedRequest, 'path' | 'query' | 'headers'>,
  first: Answer,
): Promise<Outcome> {
  let cached = first;
  for (let again = 0; ; again++) {
    const live = await to.get(path, { ...query, consistent: 'true' }, headers);
    const [one, other] = [shown(cached), shown(live)];
    if (one === other) return { is: 'same', pages: 0, versions: [] };
    if (cached.status === 503 || live.status === 503) return { is: 'incomparable', why: 'a member cannot be reached' };
    const missing = isForgotten(live) ? 'a member has forgotten' : missingIn(cached, live);
    if (missing) return { is: 'incomparable', why: missing };
    if (again === 2)
      return { is: 'different', why: `${withQuery(path, query)} differs ${firstDifference(one, other)}` };
    cached = await to.get(path, query, headers);
  }
}

/** A list that was to be of some version or a later one. */
function laggingBehind({ resourceVersion }: Record<string, string>, version: string): string | undefined {
  if (!isMap(resourceVersion)) return undefined;
  const got = mapIn(version);
  const isBehind = ([cluster, entry]: [string, string]) =>
    /^[1-9]\d*$/.test(entry) && got[cluster] !== undefined && BigInt(got[cluster]) < BigInt(entry);
  const behind = Object.entries(mapIn(resourceVersion)).find(isBehind);
  return behind && `version ${behind[1]} of ${behind[0]} was asked for, the answer is of ${got[behind[0]]}`;
}
