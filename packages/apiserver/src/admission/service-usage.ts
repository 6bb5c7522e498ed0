/** The usage of Services in ResourceQuotas: `pkg/quota/v1/evaluator/core/services.go`. */

import { parseQuantity, type Quantity } from '@fleet/kube/quantity.ts';
import { serviceSpecOf } from '../kinds/services/service-spec.ts';
import type { KubeObject } from '../registry/kube-object.ts';

export const serviceNames = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'];

const number = (count: number): Quantity => parseQuantity(String(count));

export function serviceUsage(object: KubeObject): Map<string, Quantity> {
  const { type, ports = [], allocateLoadBalancerNodePorts } = serviceSpecOf(object);
  const isBalanced = type === 'LoadBalancer';
  const asked = ports.filter(({ nodePort }) => nodePort).length;
  const balancedPorts = allocateLoadBalancerNodePorts === false ? asked : ports.length;
  return new Map([
    ['count/services', number(1)],
    ['services', number(1)],
    ['services.nodeports', number(isBalanced ? balancedPorts : type === 'NodePort' ? ports.length : 0)],
    ['services.loadbalancers', number(isBalanced ? 1 : 0)],
  ]);
}
