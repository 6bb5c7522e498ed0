/**
 * Adds `clusterspace: yy` to the selector of a workload or Service, so that `kubectl logs deploy/x.clusterspace.yy` and similar
 * commands find pods of that cluster only (NAME-11).
 */

import { eachMember, isObject, type Span, skipSpace, spanIs, stop } from '@fleet/kube/json-bytes.ts';
import { closeBrace } from '@fleet/kube/json-signs.ts';
import type { ClusterName } from '../target/target.ts';

/** How a kind writes its selector: labels directly, or under `matchLabels`. */
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

/** The offset of the object under `key`; undefined if there is none. */
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

/** The object at `at`, with one more member at its beginning. */
function withMember(bytes: Buffer, at: number, member: string): Buffer {
  const isEmpty = bytes[skipSpace(bytes, at + 1)] === closeBrace;
  return Buffer.concat([
    bytes.subarray(0, at + 1),
    Buffer.from(isEmpty ? member : `${member},`),
    bytes.subarray(at + 1),
  ]);
}

/** An empty selector (a Service without one) stays as it is. */
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
