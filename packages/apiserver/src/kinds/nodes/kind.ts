/** Nodes. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { roundUp } from '../pods/resource-list.ts';
import { fields } from '../selectable-fields.ts';
import { served } from '../served.ts';
import { nodeColumns } from './columns.ts';
import { nodeErrors, nodeUpdateErrors } from './node-rules.ts';

interface NodeStatus {
  capacity?: Record<string, string>;
  allocatable?: Record<string, string>;
}

function defaultNode(node: KubeObject): void {
  node['spec'] ??= {};
  node['status'] ??= {};
  const status = node['status'] as NodeStatus;
  if (status.capacity) status.allocatable ??= { ...status.capacity };
  roundUp(status.capacity);
  roundUp(status.allocatable);
}

export const nodes: PrintedKind = {
  ...served('', 'nodes'),
  // A kubelet says what its node has when it registers it.
  keepsFirstStatus: true,
  strategy: {
    complete: defaultNode,
    validateCreate: nodeErrors,
    validateUpdate: nodeUpdateErrors,
    selectableFields: fields({ 'spec.unschedulable': 'false' }),
  },
  columns: nodeColumns,
};
