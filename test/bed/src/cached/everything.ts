/** With FLEET_BED_CACHED=1 every kind of every member is registered, so that suites of merged views are answered from the cache (CACHE-17). */

import { until } from '../until.ts';
import { answersIn, type CountedAnswers } from './answers.ts';

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
 * control plane writes it. Returns how many answers that took: they are not the suite's.
 */
export async function untilFilled(
  product: AskedProduct,
  member: string,
  collections: readonly Collection[],
): Promise<CountedAnswers> {
  const before = answersIn(await product.metrics());
  const isFilled = async () => {
    const live: string[] = [];
    for (const { path } of collections) if (!(await isAnsweredFromCache(product, member, path))) live.push(path);
    if (live.length > 0) throw new Error(`not ${live.join(', ')}`);
    return true;
  };
  await until(`everything of ${member} is cached`, isFilled, { timeout: 180_000, every: 200 });
  const after = answersIn(await product.metrics());
  return { cached: after.cached - before.cached, live: after.live - before.live };
}

async function isAnsweredFromCache({ list, metrics }: AskedProduct, member: string, path: string): Promise<boolean> {
  const before = answersIn(await metrics(), member);
  // As it is, however fresh: not even a member that cannot be reached is asked.
  await list(`/clusterspaces/all${path}?resourceVersion=0`);
  return answersIn(await metrics(), member).cached > before.cached;
}
