/** The kind Node. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { roundUp } from '../pods/resource-list.ts';
import { ipRangeWarnings } from '../rules/ip-rules.ts';
import { fields } from '../selectable-fields.ts';
import { served } from '../served.ts';
import { nodeColumns } from './columns.ts';
import { nodeErrors, nodeUpdateErrors } from './node-rules.ts';

interface NodeStatus {
  capacity?: Record<string, string>;
  allocatable?: Record<string, string>;
}

interface NodeSpec {
  configSource?: object;
  externalID?: string;
  podCIDR?: string;
  podCIDRs?: string[];
}

/** The older field holds the first CIDR: if the newer field does not begin with it, it replaces the list. */
function alignRanges(spec: NodeSpec): void {
  const [first] = spec.podCIDRs ?? [];
  if (spec.podCIDR && spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
  else if (!spec.podCIDR && first) spec.podCIDR = first;
}

function defaultNode(node: KubeObject): void {
  node['spec'] ??= {};
  alignRanges(node['spec'] as NodeSpec);
  node['status'] ??= {};
  const status = node['status'] as NodeStatus;
  if (status.capacity) status.allocatable ??= { ...status.capacity };
  roundUp(status.capacity);
  roundUp(status.allocatable);
}

function nodeWarnings({ spec }: KubeObject): string[] {
  const { configSource, externalID, podCIDRs = [] } = (spec ?? {}) as NodeSpec;
  return [
    ...(configSource ? ['spec.configSource: the feature is removed'] : []),
    ...(externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
    ...podCIDRs.flatMap((range, index) => ipRangeWarnings(range, `spec.podCIDRs[${index}]`)),
  ];
}

export const nodes: PrintedKind = {
  ...served('', 'nodes'),
  // A kubelet registers its node with a status.
  keepsFirstStatus: true,
  checksAgain: 'all',
  strategy: {
    complete: defaultNode,
    validateCreate: nodeErrors,
    validateUpdate: nodeUpdateErrors,
    warnings: (node, _old, subresource) => (subresource === 'status' ? [] : nodeWarnings(node)),
    selectableFields: fields({ 'spec.unschedulable': 'false' }),
  },
  columns: nodeColumns,
};
