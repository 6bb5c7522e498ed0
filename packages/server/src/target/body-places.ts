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

/** What the plain-name views say of an object's cluster, which is no annotation of the object's own (LIST-6). */
export const clusterAnnotation = 'cluster.karmada.io/name';

export const isClusterAnnotation = (path: JsonPath): boolean =>
  path.length === 3 && path[0] === 'metadata' && path[1] === 'annotations' && path[2] === clusterAnnotation;

const versionPaths = ['metadata', 'preconditions', 'deleteOptions/preconditions'].map(
  (path) => `${path}/resourceVersion`,
);

export const isVersion = (path: JsonPath): boolean =>
  path.at(-1) === 'resourceVersion' && path.length <= 3 && versionPaths.includes(path.join('/'));

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
