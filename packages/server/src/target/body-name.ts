/** Reads the cluster that a body names: in `metadata.name`, or in `metadata.generateName` (NAME-2). */

import { eachString } from '@fleet/kube/json-walk.ts';
import { longestClusterName, splitName } from './suffixed-name.ts';
import type { ClusterName } from './target.ts';

export interface BodyName {
  /** As the client wrote it. */
  text: string;
  /** As the member gets it. */
  name: string;
  cluster: ClusterName;
}

/** The names in the body of a create, with or without a cluster. */
export interface BodyNames {
  name: string | undefined;
  named: BodyName | undefined;
}

export type IsCluster = (name: string) => boolean;

/**
 * `xx.clusterspace.yy-zz` means `xx-zz` in `yy` if there is no cluster `yy-zz`: clients derive names from names, as
 * `kubectl debug node` does. The longest matching cluster counts.
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

/** The names in `metadata`. */
export interface WrittenNames {
  name?: string;
  generateName?: string;
}

/** If a key occurs twice, the last counts, as in Go and so in the member. */
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
