/** With FLEET_BED_CACHED=1 every kind of every member is registered, so that suites of merged views are answered from the cache (CACHE-17). */

import { until } from '../until.ts';
import { addAnswers, answersIn } from './answers.ts';

export const isCached = process.env['FLEET_BED_CACHED'] === '1';

/** In the query of a list that must show what was written past the product: the cache may be behind by a stream's delay (CACHE-7). */
export const showingAll = isCached ? 'consistent=true' : '';

/** Lets the product list and watch all of it. */
export const cacheFlags: readonly string[] = ['--cache-kinds', '*'];

/** A resource that can be cached. */
export interface Collection {
  /** As in `apps/v1`. */
  apiVersion: string;
  /** Over all namespaces. */
  path: string;
}

type Get = (path: string) => Promise<unknown>;

interface Groups {
  groups: { versions: { groupVersion: string }[] }[];
}

interface Resources {
  resources: { name: string; verbs: string[] }[];
}

/** What a member serves, in its own discovery. */
export async function collectionsOf(get: Get): Promise<Collection[]> {
  const { groups } = (await get('/apis')) as Groups;
  const all = ['v1', ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion))];
  const lists = all.map(async (apiVersion) => {
    const root = `${apiVersion === 'v1' ? '/api' : '/apis'}/${apiVersion}`;
    const { resources } = (await get(root)) as Resources;
    const kept = resources.filter(({ verbs }) => verbs.includes('list') && verbs.includes('watch'));
    return kept.map(({ name }) => ({ apiVersion, path: `${root}/${name}` }));
  });
  return (await Promise.all(lists)).flat();
}

/** Custom resources that suites define later: the cache reads them as soon as a member serves them (CACHE-3). */
const definedLater = ['example.fleet/v1', 'differential.fleet.dev/v1'];

const path = '/apis/search.karmada.io/v1alpha1/resourceregistries';

/** One of each member: they may serve other versions. */
export function registryFor(member: string, collections: readonly Collection[]) {
  const apiVersions = new Set([...collections.map(({ apiVersion }) => apiVersion), ...definedLater]);
  const name = `everything-of-${member}`;
  return {
    path: `${path}/${name}`,
    object: {
      apiVersion: 'search.karmada.io/v1alpha1',
      kind: 'ResourceRegistry',
      metadata: { name },
      spec: {
        targetCluster: { clusterNames: [member] },
        resourceSelectors: [...apiVersions].map((apiVersion) => ({ apiVersion, kind: '*' })),
      },
    },
  };
}

/** The product, as its admin. */
export interface AskedProduct {
  list(path: string): Promise<unknown>;
  metrics(): Promise<string>;
}

/**
 * Asks for all of it until the product answers all of it from its cache. A registry's status would not do: every product on the same
 * control plane writes it.
 */
export async function untilFilled(
  product: AskedProduct,
  member: string,
  collections: readonly Collection[],
): Promise<void> {
  const isFilled = async () => {
    const cached = await answeredFromCache(product, member, collections);
    if (cached < collections.length) throw new Error(`${cached} of ${collections.length} are`);
    return true;
  };
  await until(`everything of ${member} is cached`, isFilled, { timeout: 180_000, every: 200 });
}

async function answeredFromCache(
  { list, metrics }: AskedProduct,
  member: string,
  collections: readonly Collection[],
): Promise<number> {
  const before = await metrics();
  // As it is, however fresh: not even a member that cannot be reached is asked.
  for (const one of collections) await list(`/clusterspaces/all${one.path}?resourceVersion=0`);
  const after = await metrics();
  // They are not the suite's.
  const [less, more] = [answersIn(before), answersIn(after)];
  addAnswers({ cached: less.cached - more.cached, live: less.live - more.live });
  return answersIn(after, member).cached - answersIn(before, member).cached;
}
