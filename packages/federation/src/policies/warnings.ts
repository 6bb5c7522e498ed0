/** What users are warned of when they write an object of federation (FED-1, FED-19, EXP-9). */

import type { AnyObject } from '../api/objects.ts';
import type { OverridePolicy, PropagationPolicy, ResourceSelector } from '../api/policies.ts';
import { groupVersionOf } from '../explore/hooks/hook-model.ts';
import type { Resource } from '../kinds/kinds.ts';
import { unhonouredWarnings } from './unhonoured.ts';

type WarningsOf = (object: AnyObject, served: readonly Resource[]) => string[];

const ofPropagation: WarningsOf = (object, served) => {
  const policy = object as AnyObject & PropagationPolicy;
  return [...unhonouredWarnings(policy), ...selectorWarnings(policy.spec.resourceSelectors, served)];
};

const ofOverriding: WarningsOf = (object, served) =>
  selectorWarnings((object as AnyObject & OverridePolicy).spec.resourceSelectors ?? [], served);

const notRun = 'its scripts are not run yet: a webhook answers for kinds that the product does not know';

const byKind: ReadonlyMap<string, WarningsOf> = new Map<string, WarningsOf>([
  ['policy.karmada.io/v1alpha1 PropagationPolicy', ofPropagation],
  ['policy.karmada.io/v1alpha1 ClusterPropagationPolicy', ofPropagation],
  ['policy.karmada.io/v1alpha1 OverridePolicy', ofOverriding],
  ['policy.karmada.io/v1alpha1 ClusterOverridePolicy', ofOverriding],
  ['config.karmada.io/v1alpha1 ResourceInterpreterCustomization', () => [notRun]],
]);

/** `object` as it is stored; `served` is what the control plane serves. */
export const warningsOf: WarningsOf = (object, served) =>
  byKind.get(`${object.apiVersion} ${object.kind}`)?.(object, served) ?? [];

/** Templates are read in the version that the API server prefers, so a selector with another one matches none. */
const selectorWarnings = (selectors: readonly ResourceSelector[], served: readonly Resource[]): string[] =>
  selectors.flatMap(({ apiVersion, kind }, index) => {
    const resource = served.find((one) => one.apiVersion === apiVersion && one.kind === kind);
    if (!resource || resource.preferred) return [];
    const { group } = groupVersionOf(apiVersion);
    const preferred = served.find((one) => one.preferred && one.group === group && one.kind === kind);
    const instead = preferred ? `use ${preferred.apiVersion}` : 'its group has another preferred version';
    return [`spec.resourceSelectors[${index}].apiVersion ${apiVersion} selects no ${kind}: ${instead}`];
  });
