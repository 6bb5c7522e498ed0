/** The clusters that a request names; all of them must be the same (NAME-2, NAME-7). */

import { badRequest } from '@fleet/kube/status.ts';
import type { ClusterName } from './target.ts';

export interface Mention {
  cluster: ClusterName;
  by: 'clusterspace' | 'name' | 'namespace' | 'selected-name' | 'selector' | 'body';
  /** As the client wrote it. */
  text: string;
}

const described = ({ by, text, cluster }: Mention): string => {
  switch (by) {
    case 'clusterspace':
      return `"${cluster}" by the clusterspace`;
    case 'name':
    case 'namespace':
      return `"${cluster}" by the ${by} "${text}"`;
    case 'selected-name':
    case 'selector':
      return `"${cluster}" by the selector "${text}"`;
    case 'body':
      return `"${cluster}" by the body's name "${text}"`;
    default:
      return by satisfies never;
  }
};

/** The first one counts. A different one is refused. */
export function oneCluster(mentions: readonly Mention[]): ClusterName | undefined {
  const [first, ...others] = mentions;
  const other = others.find(({ cluster }) => cluster !== first?.cluster);
  if (!first || !other) return first?.cluster;
  throw badRequest(`two different clusters are named: ${described(first)} and ${described(other)}`);
}
