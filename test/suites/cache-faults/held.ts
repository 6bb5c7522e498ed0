/** What a client knows of one object, whatever view it was shown in. */

import type { WatchedObject } from './client.ts';

export interface Held {
  cluster: string;
  name: string;
  uid: string;
  version: string;
  /** Which write made it what it is. */
  mark: string;
}

/** As whoever uses it as a server of its own writes it. */
export const aggregation = '/apis/search.karmada.io/v1alpha1/proxying/karmada/proxy';

const separator = '.clusterspace.';

export function heldOf({ metadata }: WatchedObject): Held {
  const { name, uid, resourceVersion, annotations = {} } = metadata;
  const at = name.lastIndexOf(separator);
  const cluster =
    at < 0 ? (annotations['resource.karmada.io/cached-from-cluster'] ?? '') : name.slice(at + separator.length);
  const version = /^\d+$/.test(resourceVersion) ? resourceVersion : (mapIn(resourceVersion)[cluster] ?? '');
  return { cluster, name: at < 0 ? name : name.slice(0, at), uid, version, mark: annotations['mark'] ?? '' };
}

/** Events of the aggregation endpoint carry a map, with the object's own version for its cluster (RV-4). */
const mapIn = (version: string): Record<string, string> =>
  JSON.parse(Buffer.from(version, 'base64url').toString()) as Record<string, string>;

export const textOf = ({ cluster, name, uid, version, mark }: Held): string =>
  `${cluster} ${name} ${uid} at ${version}, write "${mark}"`;

/** How what is held differs from what there is, one message each. */
export function differences(held: Iterable<Held>, there: Iterable<Held>): string[] {
  const [has, should] = [[...held].map(textOf), [...there].map(textOf)];
  const [hasOnce, shouldOnce] = [new Set(has), new Set(should)];
  return [
    ...(has.length === hasOnce.size ? [] : [`${has.length - hasOnce.size} objects are held twice`]),
    ...[...hasOnce.difference(shouldOnce)].map((text) => `held, and not there: ${text}`),
    ...[...shouldOnce.difference(hasOnce)].map((text) => `there, and not held: ${text}`),
  ];
}
