/** The kind NetworkPolicy. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { selectorOrNone } from '../printing/selectors.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { served } from '../served.ts';
import { type NetworkPolicySpec, networkPolicyErrors, networkPolicyWarnings } from './rules.ts';

interface NetworkPolicy {
  spec: NetworkPolicySpec;
}

const facts = served('networking.k8s.io', 'networkpolicies');

const of = (object: KubeObject): NetworkPolicy => object as unknown as NetworkPolicy;

export const networkPolicies: PrintedKind = {
  ...facts,
  hasGeneration: true,
  checksAgain: 'nothing',
  strategy: {
    complete: (object) => defaultNetworkPolicy(of(object)),
    validateCreate: (object) => [...objectMetaErrors(object, facts), ...networkPolicyErrors(of(object).spec)],
    validateUpdate: (object, old) => [
      ...objectMetaUpdateErrors(object, old),
      ...networkPolicyErrors(of(object).spec, of(old).spec),
    ],
    warnings: (object) => networkPolicyWarnings(of(object).spec),
  },
  columns: kindColumns<NetworkPolicy>(facts, {
    'Pod-Selector': ({ spec }) => selectorOrNone(spec?.podSelector),
  }),
};

/** Without policyTypes it applies to ingress, and to egress if it has egress rules. */
function defaultNetworkPolicy({ spec }: NetworkPolicy): void {
  const { ingress = [], egress = [], policyTypes = [] } = spec;
  for (const { ports = [] } of [...ingress, ...egress]) for (const port of ports) port.protocol ??= 'TCP';
  if (policyTypes.length === 0) spec.policyTypes = ['Ingress', ...(egress.length > 0 ? ['Egress'] : [])];
}
