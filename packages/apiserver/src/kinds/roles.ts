/** The kinds Role and ClusterRole (Kubernetes' `rbac/validation`). */

import { type FieldError, invalidValue, required } from '../errors/field-error.ts';
import { pathSegmentFaults } from '../names/name-rules.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import type { SelectorObject } from '../selectors/selector-object.ts';
import { finalizerErrors } from './core.ts';
import { labelSelectorErrors } from './label-selector-rules.ts';
import { served } from './served.ts';

export const rbacGroup = 'rbac.authorization.k8s.io';

interface PolicyRule {
  verbs: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

export const roles: PrintedKind = {
  ...served(rbacGroup, 'roles'),
  nameFaults: pathSegmentFaults,
  checksAgain: 'all',
  strategy: {
    validate: (role) => [...finalizerErrors(role), ...rulesErrors(role['rules'], true)],
    validateUpdate: finalizerErrors,
  },
};

export const clusterRoles: PrintedKind = {
  ...served(rbacGroup, 'clusterroles'),
  nameFaults: pathSegmentFaults,
  checksAgain: 'all',
  strategy: {
    validate: (role) => [
      ...finalizerErrors(role),
      ...rulesErrors(role['rules'], false),
      ...aggregationErrors(role['aggregationRule']),
    ],
    validateUpdate: finalizerErrors,
  },
};

const rulesErrors = (rules: unknown, namespaced: boolean): FieldError[] =>
  ((rules ?? []) as PolicyRule[]).flatMap((rule, index) => ruleErrors(rule, namespaced, `rules[${index}]`));

function ruleErrors(rule: PolicyRule, namespaced: boolean, at: string): FieldError[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const errors = verbs?.length ? [] : [required(`${at}.verbs`, 'verbs must contain at least one value')];
  if (nonResourceURLs.length > 0) {
    const refuse = (why: string) => invalidValue(`${at}.nonResourceURLs`, nonResourceURLs, why);
    if (namespaced) errors.push(refuse('namespaced rules cannot apply to non-resource URLs'));
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      errors.push(refuse('rules cannot apply to both regular resources and non-resource URLs'));
    }
    return errors;
  }
  if (apiGroups.length === 0) {
    errors.push(required(`${at}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (resources.length === 0) {
    errors.push(required(`${at}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

function aggregationErrors(rule: unknown): FieldError[] {
  if (!rule) return [];
  const at = 'aggregationRule.clusterRoleSelectors';
  const { clusterRoleSelectors = [] } = rule as { clusterRoleSelectors?: SelectorObject[] };
  if (clusterRoleSelectors.length === 0) {
    return [required(at, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return clusterRoleSelectors.flatMap((selector, index) => {
    const errors = labelSelectorErrors(selector, `${at}[${index}]`);
    // An error in it is reported for the whole selector, too, whose value is then null in Go.
    return errors.length > 0 ? [...errors, invalidValue(`${at}[${index}]`, null, 'invalid label selector.')] : [];
  });
}
