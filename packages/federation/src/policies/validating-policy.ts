/** What schemas cannot check, as ValidatingAdmissionPolicies for a control plane that is not the embedded one (FED-2, FED-24). */

import type { AnyObject } from '../api/objects.ts';
import { permanentIdLabels } from '../claim/claim-marks.ts';
import { protectionLabel, protectionMessage, protectionValue } from './deletion-protection.ts';

/**
 * A stored fault does not keep finalizers from being removed. Of a typed object CEL cannot select the reserved word `namespace`, of a
 * dynamic one it can.
 */
const namespaceRule = {
  expression:
    "(request.operation == 'UPDATE' && object.spec == oldObject.spec) || " +
    '!has(dyn(object).metadata.namespace) || !has(dyn(object).spec.resourceSelectors) || ' +
    "dyn(object).spec.resourceSelectors.all(s, !has(s.namespace) || s.namespace == '' || " +
    's.namespace == dyn(object).metadata.namespace)',
  message: "spec.resourceSelectors: a selector's namespace must be the policy's",
  reason: 'Invalid',
};

/** Set once; an empty one counts as not set. */
const permanentIdRules = Object.values(permanentIdLabels).map((label) => {
  const before = `oldObject.metadata.labels['${label}']`;
  const now = `object.metadata.labels['${label}']`;
  const isIn = (name: string) => `has(${name}.metadata.labels) && '${label}' in ${name}.metadata.labels`;
  return {
    expression:
      `request.operation != 'UPDATE' || !(${isIn('oldObject')}) || ${before} == '' || ` +
      `(${isIn('object')} && ${now} == ${before})`,
    message: `metadata.labels[${label}]: field is immutable`,
    reason: 'Invalid',
  };
});

const rules = (operations: string[], resources: string[], group: string, version: string) => ({
  matchPolicy: 'Equivalent',
  resourceRules: [{ apiGroups: [group], apiVersions: [version], operations, resources, scope: '*' }],
});

const written = ['CREATE', 'UPDATE'];
const propagation = ['propagationpolicies', 'clusterpropagationpolicies'];
const overrides = ['overridepolicies', 'clusteroverridepolicies'];

const policies = [
  {
    name: 'fleet-propagation-policies',
    matchConstraints: rules(written, propagation, 'policy.karmada.io', 'v1alpha1'),
    validations: [namespaceRule, ...permanentIdRules],
  },
  {
    name: 'fleet-override-policies',
    matchConstraints: rules(written, overrides, 'policy.karmada.io', 'v1alpha1'),
    validations: [namespaceRule],
  },
  {
    name: 'fleet-deletion-protection',
    matchConstraints: {
      ...rules(['DELETE'], ['*'], '*', '*'),
      objectSelector: { matchLabels: { [protectionLabel]: protectionValue } },
    },
    validations: [{ expression: 'false', message: protectionMessage, reason: 'Forbidden' }],
  },
];

const apiVersion = 'admissionregistration.k8s.io/v1';
const labels = { 'app.kubernetes.io/managed-by': 'fleet' };

/** Each policy with its binding, in the order in which they are applied. */
export const validatingPolicies: readonly AnyObject[] = policies.flatMap(({ name, matchConstraints, validations }) => [
  {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name, labels },
    spec: { failurePolicy: 'Fail', matchConstraints, validations },
  },
  {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name, labels },
    spec: { policyName: name, validationActions: ['Deny'] },
  },
]);
