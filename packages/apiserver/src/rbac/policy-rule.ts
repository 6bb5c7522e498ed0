/** A rule of a role, and what it allows. */

import { withoutEnding } from '@fleet/kube/trim-end.ts';
import type { Attributes } from './attributes.ts';

export interface PolicyRule {
  verbs: readonly string[];
  apiGroups?: readonly string[];
  resources?: readonly string[];
  resourceNames?: readonly string[];
  nonResourceURLs?: readonly string[];
}

const all = '*';

const has = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes(all) || list.includes(value));

function allowsResource(resources: readonly string[] = [], resource: string, subresource: string | undefined): boolean {
  if (has(resources, subresource ? `${resource}/${subresource}` : resource)) return true;
  return subresource !== undefined && subresource !== '' && resources.includes(`*/${subresource}`);
}

const allowsName = (names: readonly string[] = [], name: string): boolean => names.length === 0 || names.includes(name);

/** A path, or a prefix with a star. */
export const coversPath = (rule: string, path: string): boolean =>
  rule === path || (rule.endsWith(all) && path.startsWith(withoutEnding(rule, (sign) => sign === all)));

export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false;
  if ('path' in attributes) return (rule.nonResourceURLs ?? []).some((one) => coversPath(one, attributes.path));
  const { group, resource, subresource, name = '' } = attributes;
  return (
    has(rule.apiGroups, group) &&
    allowsResource(rule.resources, resource, subresource) &&
    allowsName(rule.resourceNames, name)
  );
}
