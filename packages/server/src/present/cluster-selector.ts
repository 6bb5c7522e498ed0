/**
 * Adds `clusterspace: yy` to what a workload or Service selects, so that `kubectl logs deploy/x.clusterspace.yy` and its
 * like look for pods in that cluster alone (NAME-11).
 */

import { eachMember, isObject, type Span, skipSpace, spanIs, stop } from '@fleet/kube/json-bytes.ts';
import { closeBrace } from '@fleet/kube/json-signs.ts';
import type { ClusterName } from '../target/target.ts';

/** How a kind writes its selector: labels at once, or under `matchLabels`. */
export type SelectorForm = 'labels' | 'matchLabels';

const forms: Readonly<Record<string, SelectorForm>> = {
  'apps/deployments': 'matchLabels',
  'apps/replicasets': 'matchLabels',
  'apps/statefulsets': 'matchLabels',
  'apps/daemonsets': 'matchLabels',
  'batch/jobs': 'matchLabels',
  '/replicationcontrollers': 'labels',
  '/services': 'labels',
};

export const selectorForm = (group: string, resource: string): SelectorForm | undefined =>
  forms[`${group}/${resource}`];

/** Where the object under `key` opens, or undefined if there is none. */
function objectAt(bytes: Buffer, at: number | undefined, key: string): number | undefined {
  if (at === undefined) return undefined;
  let found: number | undefined;
  eachMember(bytes, at, (name: Span, value) => {
    if (!spanIs(bytes, name, key) || !isObject(bytes, value)) return undefined;
    found = value;
    return stop;
  });
  return found;
}

/** The object that opens at `at`, with one more member in front. */
function withMember(bytes: Buffer, at: number, member: string): Buffer {
  const isEmpty = bytes[skipSpace(bytes, at + 1)] === closeBrace;
  return Buffer.concat([
    bytes.subarray(0, at + 1),
    Buffer.from(isEmpty ? member : `${member},`),
    bytes.subarray(at + 1),
  ]);
}

/** What selects nothing (a Service without selector) stays as it is. */
export function withClusterSelector(bytes: Buffer, cluster: ClusterName, form: SelectorForm): Buffer {
  const selector = objectAt(bytes, objectAt(bytes, 0, 'spec'), 'selector');
  if (selector === undefined) return bytes;
  const label = `"clusterspace":${JSON.stringify(cluster)}`;
  if (form === 'labels') return withMember(bytes, selector, label);
  const labels = objectAt(bytes, selector, 'matchLabels');
  return labels === undefined
    ? withMember(bytes, selector, `"matchLabels":{${label}}`)
    : withMember(bytes, labels, label);
}
