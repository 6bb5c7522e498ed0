/** The places in a body that mean something to a view, by their paths. */

import type { JsonPath, JsonString } from '@fleet/kube/json-walk.ts';

/** Under these keys a text is a user's own, whatever it looks like. */
export const ownTexts: ReadonlySet<string | number> = new Set([
  'annotations',
  'data',
  'stringData',
  'binaryData',
  'command',
  'args',
]);

export const isEnvironment = (path: JsonPath): boolean => path.at(-1) === 'value' && path.at(-3) === 'env';

export const virtualLabel = 'clusterspace';
const labelMaps: ReadonlySet<unknown> = new Set(['labels', 'matchLabels', 'selector']);

export const isVirtualLabel = (path: JsonPath): boolean => path.at(-1) === virtualLabel && labelMaps.has(path.at(-2));

/** What the plain-name views say of an object's cluster, which is no annotation of the object's own (LIST-6, CACHE-9). */
export type ClusterAnnotation = 'cluster.karmada.io/name' | 'resource.karmada.io/cached-from-cluster';

export const clusterAnnotations: readonly ClusterAnnotation[] = [
  'cluster.karmada.io/name',
  'resource.karmada.io/cached-from-cluster',
];

export const isClusterAnnotation = (path: JsonPath): boolean =>
  path.length === 3 &&
  path[0] === 'metadata' &&
  path[1] === 'annotations' &&
  clusterAnnotations.some((name) => name === path[2]);

const versionPaths: readonly JsonPath[] = [
  ['metadata', 'resourceVersion'],
  ['preconditions', 'resourceVersion'],
  ['deleteOptions', 'preconditions', 'resourceVersion'],
];

/** Key by key: a key may be as long as a body, and have as many versions under it (SEC-3). */
const isSame = (path: JsonPath, other: JsonPath): boolean =>
  path.length === other.length && other.every((key, index) => key === path[index]);

export const isVersion = (path: JsonPath): boolean => versionPaths.some((version) => isSame(path, version));

/** Where a string stands in its object. */
export interface Place {
  /** Shortened in its middle where it is long. */
  path: JsonPath;
  isOwnText: boolean;
}

export function placeOf(string: JsonString): Place {
  const path = string.path();
  return { path, isOwnText: string.isMarked() || isEnvironment(path) };
}
