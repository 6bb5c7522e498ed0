/** The cluster that a body names: in `metadata.name`, or in `metadata.generateName` (NAME-2). */

import { eachString } from '@fleet/kube/json-walk.ts';
import { longestClusterName, splitName } from './suffixed-name.ts';
import type { ClusterName } from './target.ts';

export interface BodyName {
  /** As it was written. */
  text: string;
  /** As the member is to see it. */
  name: string;
  cluster: ClusterName;
}

/** What a create's body calls its object, with or without a cluster. */
export interface BodyNames {
  name: string | undefined;
  named: BodyName | undefined;
}

export type IsCluster = (name: string) => boolean;

/**
 * `xx.clusterspace.yy-zz` means `xx-zz` in `yy` where `yy-zz` is no cluster: clients derive names from names, as
 * `kubectl debug node` does. The longest cluster that fits counts.
 */
function splitDerived(text: string, isCluster: IsCluster): BodyName | undefined {
  const { name, cluster } = splitName(text);
  if (cluster === undefined) return undefined;
  if (isCluster(cluster)) return { text, name, cluster };
  for (let end = cluster.lastIndexOf('-', longestClusterName); end > 0; end = cluster.lastIndexOf('-', end - 1)) {
    const shorter = cluster.slice(0, end);
    if (isCluster(shorter)) return { text, name: name + cluster.slice(end), cluster: shorter };
  }
  return { text, name, cluster };
}

/** What `metadata` calls its object. */
export interface WrittenNames {
  name?: string;
  generateName?: string;
}

/** Go takes the last of keys that stand there twice, and so does the member. */
export function writtenNames(json: Buffer): WrittenNames {
  const names: WrittenNames = {};
  eachString(json, (string) => {
    if (string.depth !== 2) return;
    const [parent, key] = string.path();
    if (parent === 'metadata' && (key === 'name' || key === 'generateName')) names[key] = string.text();
  });
  return names;
}

export function clusterNamed({ name, generateName }: WrittenNames, isCreate: boolean, isCluster: IsCluster): BodyNames {
  const split = (text: string | undefined): BodyName | undefined => {
    if (!text) return undefined;
    if (isCreate) return splitDerived(text, isCluster);
    const { name: plain, cluster } = splitName(text);
    return cluster === undefined ? undefined : { text, name: plain, cluster };
  };
  const named = split(name);
  return { name: named?.name ?? name, named: named ?? (name ? undefined : split(generateName)) };
}
