/** Lists of all kinds, from a seed: views, forms, selectors, versions and pages, valid and not. */

import type { Random } from '@fleet/differential/random.ts';
import { endpoint } from '../registering.ts';
import { collectionOf, emptyNamespace, namespaces, parts, type Resource, resources } from './kinds.ts';
import type { SeenVersions } from './seen-versions.ts';

export interface GeneratedRequest {
  as: 'admin' | 'limited';
  /** Of the resource in the view, without a query. */
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** Follows continue tokens with those of the cached answers in both chains (PAGE-2). */
  crossed: boolean;
}

const views = ['', '/clusterspaces/all', '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy', endpoint];

const as = (form: string) => ({ accept: `application/json;as=${form};v=v1;g=meta.k8s.io` });
const table = { headers: as('Table'), query: {} };
export const forms: readonly (readonly [number, Pick<GeneratedRequest, 'headers' | 'query'>])[] = [
  [6, { headers: {}, query: {} }],
  [1, table],
  [1, { ...table, query: { includeObject: 'None' } }],
  [1, { ...table, query: { includeObject: 'Metadata' } }],
  [1, { ...table, query: { includeObject: 'Object' } }],
  [0.2, { ...table, query: { includeObject: 'Nothing' } }],
  [2, { headers: as('PartialObjectMetadataList'), query: {} }],
];

export function generateRequest(
  random: Random,
  versions: SeenVersions,
  of: readonly Resource[] = resources,
): GeneratedRequest {
  const resource = random.pick(of);
  const collection = collectionOf(resource, namespaceFor(resource, random));
  const form = random.weighted(forms);
  const path = `${random.pick(views)}${collection}`;
  return {
    as: random.chance(0.15) ? 'limited' : 'admin',
    path,
    headers: form.headers,
    query: {
      ...form.query,
      ...labels(random),
      ...fields(resource, random),
      ...pages(random),
      ...versioned(random, versions.of(collection)),
    },
    crossed: random.chance(0.3),
  };
}

function namespaceFor({ namespaced }: Resource, random: Random): string | undefined {
  if (!namespaced) return undefined;
  return random.weighted<string | undefined>([
    [4, undefined],
    ...namespaces.map((one) => [2, one] as const),
    [0.5, emptyNamespace],
    [0.5, 'nowhere'],
  ]);
}

function labels(random: Random): Record<string, string> {
  if (random.chance(0.55)) return {};
  const [one, other] = [random.pick(parts), random.pick(parts)];
  const labelSelector = random.weighted([
    [4, `part=${one}`],
    [2, `part!=${one}`],
    [2, `part in (${one},${other})`],
    [1, `part notin (${one},${other})`],
    [1, 'part'],
    [1, '!part'],
    [1, `part=${one},app=web`],
    [0.5, 'unknown=label'],
    [0.3, 'part in ('],
    [0.3, 'part=a b'],
    [0.3, '='],
  ]);
  return { labelSelector };
}

function fields({ fields }: Resource, random: Random): Record<string, string> {
  if (random.chance(0.65)) return {};
  const [field, values] = random.pick(Object.entries(fields));
  const operator = random.pick(['=', '==', '!=']);
  const fieldSelector = random.weighted([
    [6, `${field}${operator}${random.pick(values)}`],
    [1, `${field}${operator}${random.pick(values)},metadata.namespace!=shop0`],
    [1, `${field}=no-such-value`],
    [0.5, `spec.unknown=${random.pick(values)}`],
    [0.5, field],
    [0.3, `${field}=a\\x`],
  ]);
  return { fieldSelector };
}

function pages(random: Random): Record<string, string> {
  if (random.chance(0.65)) return {};
  const limit = random.weighted([
    [1, '1'],
    [4, '3'],
    [4, '10'],
    [2, '500'],
    [0.3, '0'],
    [0.3, '-1'],
    [0.2, 'many'],
  ]);
  return { limit, ...(random.chance(0.03) ? { continue: 'garbage' } : {}) };
}

function versioned(random: Random, seen: readonly string[]): Record<string, string> {
  if (random.chance(0.35)) return {};
  const map = seen.length === 0 ? '0' : random.pick(seen);
  const resourceVersion = random.weighted([
    [1, ''],
    [4, '0'],
    [5, map],
    [1, partly(map, random)],
    [0.5, changed(map, () => '999999999')],
    [0.5, changed(map, () => random.pick(['abc', '0', '00012', '-1', '1.5', '']))],
    [0.5, '12345'],
    [0.3, 'garbage'],
    [0.3, 'e30'],
  ]);
  const match = random.weighted([
    [4, undefined],
    [2, 'Exact'],
    [2, 'NotOlderThan'],
    [0.2, 'Other'],
  ]);
  return { resourceVersion, ...(match === undefined ? {} : { resourceVersionMatch: match }) };
}

type VersionMap = Record<string, string>;

const written = (map: VersionMap): string => Buffer.from(JSON.stringify(map)).toString('base64url');
const read = (version: string): VersionMap => {
  if (/^\d*$/.test(version)) return {};
  return JSON.parse(Buffer.from(version, 'base64url').toString()) as VersionMap;
};

function partly(version: string, random: Random): string {
  return written(Object.fromEntries(Object.entries(read(version)).filter(() => random.chance(0.5))));
}

/** With another entry for its first cluster. */
function changed(version: string, entry: () => string): string {
  const map = read(version);
  const [first = 'member1'] = Object.keys(map);
  return written({ ...map, [first]: entry() });
}
