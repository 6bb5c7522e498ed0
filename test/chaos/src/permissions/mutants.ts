/** Each check left out once, and what must be noticed of it. */

import type { Mutant } from '@fleet/bed/mutant.ts';

export interface LeftOut extends Mutant {
  faults: readonly string[];
}

const answered = (level: string) => `answered although the ${level} forbids it`;
const sent = (level: string) => `sent although the ${level} forbids it`;
const open = 'open although the plane forbids it';

export const mutants: Readonly<Record<string, LeftOut>> = {
  'the control plane is not asked': {
    file: 'server/src/authz/authorize.ts',
    from: 'return clusters.filter((_, index) => answers[index]);',
    to: 'return [...clusters];',
    faults: [answered('plane')],
  },
  'a decision is kept for a minute': {
    file: 'server/src/decisions/decision-cache.ts',
    from: 'const keptFor = 10_000;',
    to: 'const keptFor = 60_000;',
    faults: [answered('plane')],
  },
  'a member is asked as somebody else': {
    file: 'server/src/members/impersonation.ts',
    from: "const headers: Headers = { 'impersonate-user': headerValue(name) };",
    to: "const headers: Headers = { 'impersonate-user': 'fleet:admin', 'impersonate-group': 'fleet:admins' };",
    faults: [answered('member')],
  },
  'an open watch is not asked about again': {
    file: 'server/src/watch/control-plane-grants.ts',
    from: 'const interval = 5_000;',
    to: 'const interval = 500_000;',
    faults: [open, sent('plane')],
  },
  'a watch resumes without asking the member': {
    file: 'server/src/watch/member-permissions.ts',
    from: 'const answer = await this.ask(cluster, position, asker);',
    to: "const answer: Permission = (await Promise.resolve({ is: 'allowed' })) as Permission;",
    faults: [sent('member')],
  },
  'users share watches': {
    file: 'server/src/watch/merge-watch.ts',
    from: 'JSON.stringify([sharedAs(user), ask.scope,',
    to: "JSON.stringify(['', ask.scope,",
    faults: [open, sent('plane'), sent('member')],
  },
};
