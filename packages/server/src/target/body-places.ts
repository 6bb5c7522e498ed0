/** The paths in a body whose values a view may have changed. */

import type { JsonPath, JsonString } from '@fleet/kube/json-walk.ts';

/** Texts under these keys are the user's own, and are never changed. */
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

/** The annotations by which views with plain names show an object's cluster. They are not stored in the object (LIST-6, CACHE-9). */
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

/** Compared key by key: a key may be as long as the body, with many versions under it (SEC-3). */
const isSame = (path: JsonPath, other: JsonPath): boolean =>
  path.length === other.length && other.every((key, index) => key === path[index]);

export const isVersion = (path: JsonPath): boolean => versionPaths.some((version) => isSame(path, version));

/** The path of a string in its object. */
export interface Place {
  /** Shortened in the middle if it is long. */
  path: JsonPath;
  isOwnText: boolean;
}

export function placeOf(string: JsonString): Place {
  const path = string.path();
  return { path, isOwnText: string.isMarked() || isEnvironment(path) };
}
