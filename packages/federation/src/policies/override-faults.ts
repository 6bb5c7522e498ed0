/** Validates the rules of an OverridePolicy, as Karmada does. */

import { plainLabelRules } from '@fleet/kube/selectors/label-rules.ts';
import type { FieldOverrider, FieldPatch, MapOverrider, Overriders, OverrideSpec } from '../api/policies.ts';
import { type Fault, invalid, required } from './fault.ts';
import { affinityFaults } from './placement-faults.ts';

export function overridesFaults({ targetCluster, overriders, overrideRules }: OverrideSpec): Fault[] {
  const hasOverriders = Object.values(overriders ?? {}).some((list: readonly unknown[]) => list.length > 0);
  const twice = (name: string): Fault => invalid('spec', undefined, `overrideRules and ${name} cannot both be set`);
  return [
    ...(overrideRules && targetCluster ? [twice('targetCluster')] : []),
    ...(overrideRules && hasOverriders ? [twice('overriders')] : []),
    ...affinityFaults(targetCluster, 'spec.targetCluster'),
    ...(overrideRules ?? []).flatMap((rule, index) => {
      const field = `spec.overrideRules[${index}]`;
      return [
        ...affinityFaults(rule.targetCluster, `${field}.targetCluster`),
        ...overridersFaults(rule.overriders, `${field}.overriders`),
      ];
    }),
  ];
}

function overridersFaults(overriders: Overriders, field: string): Fault[] {
  const { imageOverrider, labelsOverrider, annotationsOverrider, fieldOverrider } = overriders;
  const each = <T>(list: readonly T[] | undefined, name: string, faults: (one: T, field: string) => Fault[]): Fault[] =>
    (list ?? []).flatMap((one, index) => faults(one, `${field}.${name}[${index}]`));
  return [
    ...each(imageOverrider, 'imageOverrider', ({ predicate }, at) =>
      pointerFaults(predicate?.path ?? '', `${at}.predicate.path`),
    ),
    ...each(labelsOverrider, 'labelsOverrider', ({ value }, at) => labelFaults(value, `${at}.value`)),
    ...each(annotationsOverrider, 'annotationsOverrider', ({ value }, at) => keyFaults(value, `${at}.value`)),
    ...each(fieldOverrider, 'fieldOverrider', fieldFaults),
  ];
}

function fieldFaults({ fieldPath, json = [], yaml = [] }: FieldOverrider, field: string): Fault[] {
  const both = json.length > 0 && yaml.length > 0;
  return [
    ...(both ? [invalid(field, undefined, 'json and yaml cannot both be set')] : []),
    ...pointerFaults(fieldPath, `${field}.fieldPath`),
    ...json.flatMap((patch, index) => patchFaults(patch, `${field}.json[${index}]`)),
    ...yaml.flatMap((patch, index) => patchFaults(patch, `${field}.yaml[${index}]`)),
  ];
}

function patchFaults({ subPath, operator, value }: FieldPatch, field: string): Fault[] {
  const isRemoval = operator === 'remove';
  return [
    ...pointerFaults(subPath, `${field}.subPath`),
    ...(!isRemoval && value === undefined ? [required(`${field}.value`, `operator ${operator} needs one`)] : []),
    ...(isRemoval && value !== undefined ? [invalid(`${field}.value`, undefined, 'operator remove has none')] : []),
  ];
}

const pointerFaults = (path: string, field: string): Fault[] =>
  path === '' || path.startsWith('/') ? [] : [invalid(field, path, 'a JSON pointer begins with /')];

/** Keys of annotations are those of labels, in any case. */
const keyFaults = (entries: MapOverrider['value'], field: string): Fault[] =>
  Object.keys(entries ?? {}).flatMap((key) =>
    plainLabelRules.keyFaults(key.toLowerCase()).map((fault) => invalid(field, key, fault)),
  );

const labelFaults = (entries: MapOverrider['value'], field: string): Fault[] =>
  Object.entries(entries ?? {}).flatMap(([key, value]) => [
    ...plainLabelRules.keyFaults(key).map((fault) => invalid(field, key, fault)),
    ...plainLabelRules.valueFaults(value).map((fault) => invalid(field, value, fault)),
  ]);
