/** The RBAC authorizer: a request needs a rule that allows it, or the group system:masters. */

import { isPrivileged, type User } from '../authn/user.ts';
import { quoted } from '../errors/quoted.ts';
import type { Attributes, Authorizer, Decision } from './attributes.ts';
import type { Subject } from './binding-index.ts';
import { ruleAllows } from './policy-rule.ts';
import type { Granted, RuleResolver } from './rule-resolver.ts';

const describeSubject = ({ kind, name, namespace }: Subject, bindingNamespace: string): string =>
  `${kind} ${quoted(kind === 'ServiceAccount' ? `${name}/${namespace || bindingNamespace}` : name)}`;

function describe({ binding, subject }: Granted): string {
  const { name, namespace, roleRef } = binding;
  const bound = namespace ? `RoleBinding ${quoted(`${name}/${namespace}`)}` : `ClusterRoleBinding ${quoted(name)}`;
  return `${bound} of ${roleRef.kind} ${quoted(roleRef.name)} to ${describeSubject(subject, namespace)}`;
}

/** Several errors without duplicates, in the format of Go's aggregate. */
export function faultsAsText(faults: readonly string[]): string {
  const texts = [...new Set(faults)];
  return texts.length > 1 ? `[${texts.join(', ')}]` : (texts[0] ?? '');
}

export const createAuthorizer = (rules: RuleResolver): Authorizer => ({
  decide(user: User, attributes: Attributes): Decision {
    if (isPrivileged(user)) return { allowed: true, reason: '' };
    const faults: string[] = [];
    for (const one of rules.rulesFor(user, 'path' in attributes ? '' : (attributes.namespace ?? ''))) {
      if ('fault' in one) faults.push(one.fault);
      else if (ruleAllows(one.rule, attributes)) return { allowed: true, reason: `RBAC: allowed by ${describe(one)}` };
    }
    return { allowed: false, reason: faults.length > 0 ? `RBAC: ${faultsAsText(faults)}` : '' };
  },
});
