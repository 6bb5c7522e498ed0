/** Validates Nodes (`ValidateNode`). */

import { duplicate, type FieldError, forbiddenField, invalidValue } from '../../errors/field-error.ts';
import { labelKeyFaults, labelValueFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { finalizerErrors } from '../core.ts';
import { enumErrors, faultsAt } from '../field-rules.ts';
import { amountErrors } from '../pods/resource-rules.ts';
import { taintEffects } from '../pods/toleration-rules.ts';
import { rangeErrors } from '../services/service-rules.ts';

interface NodeSpec {
  taints?: { key: string; value?: string; effect: string; timeAdded?: string }[];
  podCIDRs?: string[];
  providerID?: string;
}

interface NodeStatus {
  capacity?: Record<string, string>;
  allocatable?: Record<string, string>;
  addresses?: { type: string; address: string }[];
}

const specOf = (node: KubeObject): NodeSpec => (node['spec'] ?? {}) as NodeSpec;

/** kube-apiserver reports them below `metadata`. */
function taintErrors({ taints = [] }: NodeSpec): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const { key, value = '', effect } = taint;
    const at = `metadata.taints[${index}]`;
    const faults = labelValueFaults(value);
    const text = `${effect} ${key}`;
    const isAgain = seen.has(text);
    seen.add(text);
    return [
      ...faultsAt(`${at}.key`, key, labelKeyFaults(key)),
      ...(faults.length > 0 ? [invalidValue(`${at}.value`, value, faults.join(';'))] : []),
      ...enumErrors(`${at}.effect`, effect, taintEffects),
      ...(isAgain
        ? [{ ...duplicate(at, shownTaint(taint)), detail: 'taints must be unique by key and effect pair' }]
        : []),
    ];
  });
}

/** Go's format of a taint. */
const shownTaint = ({
  key,
  value = '',
  effect,
  timeAdded = null,
}: {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string | null;
}) => ({
  Key: key,
  Value: value,
  Effect: effect,
  TimeAdded: timeAdded,
});

export const nodeErrors = (node: KubeObject): FieldError[] => [
  ...finalizerErrors(node),
  ...taintErrors(specOf(node)),
  ...resourceErrors(node),
  ...(specOf(node).podCIDRs ?? []).flatMap((range, index) => rangeErrors(`spec.podCIDRs[${index}]`, range)),
  ...familyErrors(specOf(node).podCIDRs ?? []),
];

/** One CIDR, or one of each IP family. */
function familyErrors(ranges: readonly string[]): FieldError[] {
  const isBoth =
    ranges.length === 2 && ranges.some((range) => range.includes(':')) && ranges.some((range) => !range.includes(':'));
  return ranges.length <= 1 || isBoth
    ? []
    : [invalidValue('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family')];
}

function resourceErrors(node: KubeObject): FieldError[] {
  const { capacity = {}, allocatable = {} } = (node['status'] ?? {}) as NodeStatus;
  return Object.entries({ capacity, allocatable }).flatMap(([list, amounts]) =>
    Object.entries(amounts).flatMap(([name, amount]) => amountErrors(`status.${list}.${name}`, name, amount)),
  );
}

export function nodeUpdateErrors(node: KubeObject, old: KubeObject, subresource: string | undefined): FieldError[] {
  const [spec, before] = [specOf(node), specOf(old)];
  const { addresses = [] } = (node['status'] ?? {}) as NodeStatus;
  const seen = new Set<string>();
  const again = addresses.flatMap(({ type, address }, index) => {
    const text = `${type} ${address}`;
    if (!seen.has(text)) {
      seen.add(text);
      return [];
    }
    return [duplicate(`status.addresses[${index}]`, { Type: type, Address: address })];
  });
  const standing = before.podCIDRs ?? [];
  const isMoved = standing.length > 0 && JSON.stringify(standing) !== JSON.stringify(spec.podCIDRs ?? []);
  return [
    ...nodeErrors(node),
    ...(subresource === 'status' ? [] : finalizerErrors(node)),
    ...resourceErrors(node),
    ...again,
    ...(isMoved
      ? [forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid')]
      : []),
    ...(before.providerID && before.providerID !== spec.providerID
      ? [forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid')]
      : []),
    ...taintErrors(spec),
  ];
}
