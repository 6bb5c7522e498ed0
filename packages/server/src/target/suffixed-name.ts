/** `xx.clusterspace.yy`: the object `xx` in the cluster `yy` (NAME-1). */

import type { ClusterName } from './target.ts';

const infix = '.clusterspace.';

export interface SplitName {
  name: string;
  cluster: ClusterName | undefined;
}

/** Names may contain dots, so the last infix counts. */
export function splitName(suffixed: string): SplitName {
  const at = suffixed.lastIndexOf(infix);
  if (at <= 0 || at + infix.length === suffixed.length) return { name: suffixed, cluster: undefined };
  return { name: suffixed.slice(0, at), cluster: suffixed.slice(at + infix.length) };
}

/** Whether the name has a suffix, also of a cluster that does not exist. */
export const namesCluster = (name: string): boolean => name.includes(infix);

export const suffixOf = (cluster: ClusterName): string => `${infix}${cluster}`;

/** NAME-9. */
export const longestClusterName = 48;

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** NAME-9: a DNS label. */
export const isClusterName = (text: string): boolean => text.length <= longestClusterName && label.test(text);
