/** Serves SelfSubjectRulesReview: everything that the caller is allowed in a namespace. */

import { badRequest } from '@fleet/kube/status.ts';
import { isPrivileged } from '../authn/user.ts';
import type { AnsweredResource } from '../http/answered-resource.ts';
import { faultsAsText } from '../rbac/authorizer.ts';
import type { PolicyRule } from '../rbac/policy-rule.ts';
import type { RuleResolver } from '../rbac/rule-resolver.ts';
import { reviewResource } from './review-resource.ts';

/** The rules of system:masters, which has no role. */
const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule): object => ({
  verbs,
  ...(apiGroups ? { apiGroups } : {}),
  resources,
  ...(resourceNames ? { resourceNames } : {}),
});

export const rulesReview = (resolver: RuleResolver): AnsweredResource =>
  reviewResource('authorization.k8s.io', 'SelfSubjectRulesReview', ({ spec }, { user }) => {
    const { namespace = '' } = (spec as { namespace?: string } | undefined) ?? {};
    if (!namespace) throw badRequest('no namespace on request');
    const found = [...resolver.rulesFor(user, namespace)];
    const bound = found.flatMap((one) => ('rule' in one ? [one.rule] : []));
    const faults = found.flatMap((one) => ('fault' in one ? [one.fault] : []));
    const rules = isPrivileged(user) ? [...everything, ...bound] : bound;
    const paths = rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0);
    return {
      metadata: {},
      spec: {},
      status: {
        resourceRules: rules.filter(({ resources = [] }) => resources.length > 0).map(resourceRule),
        nonResourceRules: paths.map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
        incomplete: false,
        ...(faults.length > 0 ? { evaluationError: faultsAsText(faults) } : {}),
      },
    };
  });
