/** Validates a placement (FED-2). */

import type { ClusterAffinity } from '@fleet/kube/selectors/cluster-affinity.ts';
import type { Placement, SpreadConstraint } from '../api/policies.ts';
import { constraintWithDefaults } from './defaults.ts';
import { type Fault, invalid, notSupported } from './fault.ts';

export function placementFaults(placement: Placement, field: string): Fault[] {
  const { clusterAffinity, clusterAffinities, spreadConstraints } = placement;
  const both = 'clusterAffinity and clusterAffinities cannot both be set';
  return [
    ...(clusterAffinity && clusterAffinities ? [invalid(field, undefined, both)] : []),
    ...affinityFaults(clusterAffinity, `${field}.clusterAffinity`),
    ...termFaults(clusterAffinities ?? [], `${field}.clusterAffinities`),
    ...constraintFaults(spreadConstraints ?? [], `${field}.spreadConstraints`),
  ];
}

const fields = ['provider', 'region', 'zone'];
const operators = ['In', 'NotIn'];

export function affinityFaults(affinity: ClusterAffinity | null | undefined, field: string): Fault[] {
  return (affinity?.fieldSelector?.matchExpressions ?? []).flatMap(({ key, operator }, index) => {
    const at = `${field}.fieldSelector.matchExpressions[${index}]`;
    return [
      ...(fields.includes(key) ? [] : [notSupported(`${at}.key`, key, fields)]),
      ...(operators.includes(operator) ? [] : [notSupported(`${at}.operator`, operator, operators)]),
    ];
  });
}

const namePart = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const prefixPart = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function isQualified(text: string): boolean {
  const [name = '', prefix, ...more] = text.split('/').reverse();
  return (
    more.length === 0 && name.length <= 63 && namePart.test(name) && (prefix === undefined || prefixPart.test(prefix))
  );
}

function termFaults(terms: NonNullable<Placement['clusterAffinities']>, field: string): Fault[] {
  const names = terms.map(({ affinityName }) => affinityName);
  const unqualified = names.flatMap((name, index) =>
    isQualified(name) ? [] : [invalid(`${field}[${index}].affinityName`, name, 'must be a qualified name')],
  );
  const isUnique = new Set(names).size === names.length;
  const inTerms = terms.flatMap((term, index) => affinityFaults(term, `${field}[${index}]`));
  return [
    ...unqualified,
    ...(isUnique ? [] : [invalid(field, undefined, 'affinity names must be unique')]),
    ...inTerms,
  ];
}

function constraintFaults(given: readonly SpreadConstraint[], field: string): Fault[] {
  const inOne = given.flatMap((constraint, index) => oneConstraintFaults(constraint, `${field}[${index}]`));
  const spread = given.map((constraint) => constraintWithDefaults(constraint).spreadByField);
  const byField = spread.filter((one) => one !== undefined);
  const isUnique = new Set(byField).size === byField.length;
  const needsCluster = byField.length > 0 && !byField.includes('cluster');
  return [
    ...inOne,
    ...(needsCluster ? [invalid(field, undefined, 'constraints by region, zone or provider need one by cluster')] : []),
    ...(isUnique ? [] : [invalid(field, undefined, 'two constraints of one field')]),
  ];
}

function oneConstraintFaults(constraint: SpreadConstraint, field: string): Fault[] {
  const { spreadByField, spreadByLabel, maxGroups = 0 } = constraint;
  const { minGroups = 1 } = constraintWithDefaults(constraint);
  const negative = (name: string, value: number): Fault[] =>
    value < 0 ? [invalid(`${field}.${name}`, value, 'should be greater than or equal to 0')] : [];
  return [
    ...(spreadByField && spreadByLabel
      ? [invalid(field, undefined, 'spreadByField and spreadByLabel cannot both be set')]
      : []),
    ...negative('minGroups', minGroups),
    ...negative('maxGroups', maxGroups),
    // No limit is 0 (FED-21).
    ...(maxGroups > 0 && maxGroups < minGroups
      ? [invalid(field, undefined, 'maxGroups cannot be below minGroups')]
      : []),
  ];
}
