/** Bugs that would show a user more than the members allow, each planted once. */

import type { Mutant } from '@fleet/bed/mutant.ts';

export const mutants: Readonly<Record<string, Mutant>> = {
  'a yes kept too long': {
    file: 'server/src/cache/member-permissions.ts',
    from: '[300_000, 10_000, 86_400_000]',
    to: '[300_000, 60_000, 86_400_000]',
  },
  'a namespace’s yes used for all namespaces': {
    file: 'server/src/cache/member-permissions.ts',
    from: 'const named = { namespace, name: name || nameSelectedBy(fieldSelector) };',
    to: "const named = { namespace: namespace || 'cp-one', name: name || nameSelectedBy(fieldSelector) };",
  },
  'a denied row shown: the yes for a name used for the whole list': {
    file: 'server/src/cache/member-permissions.ts',
    from: 'name: name || nameSelectedBy(fieldSelector) };',
    to: "name: name || nameSelectedBy(fieldSelector) || 'alpha' };",
  },
  'a deleted RBAC object is not noticed': {
    file: 'server/src/cache/rbac-changes.ts',
    from: 'this.listener.changed(name);',
    to: "if (type !== 'DELETED') this.listener.changed(name);",
  },
  'a changed RBAC object is not noticed': {
    file: 'server/src/cache/rbac-changes.ts',
    from: 'this.listener.changed(name);',
    to: "if (type !== 'MODIFIED') this.listener.changed(name);",
  },
  'the product asks for itself': {
    file: 'server/src/cache/member-reviews.ts',
    from: 'await reviewAccess(member.impersonator, identity.headers, attributes, signal)',
    to: "await reviewAccess(member.impersonator, { 'impersonate-user': 'fleet:admin', 'impersonate-group': ['fleet:admins'] }, attributes, signal)",
  },
  'a member with a webhook taken for one with RBAC alone': {
    file: 'server/src/cache/reviewed-member.ts',
    from: "metadata.annotations?.[denyAnnotation] === 'true'",
    to: "metadata.annotations?.[denyAnnotation] === 'never'",
  },
  'open watches go on': {
    file: 'server/src/cache/open-watches.ts',
    from: 'for (const lost of group.lost) lost();',
    to: 'group.lost.clear();',
  },
};
