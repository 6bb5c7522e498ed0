/** Who may reach which cluster, and what there. */

import type { Fleet } from '../fleet.ts';
import { apply, binding, role } from '../rbac.ts';
import type { Name } from './witnessed.ts';

/** The permission to reach clusters, all of them unless some are named (AUTHZ-2). */
export const reaching = (verbs: string[], resourceNames?: string[]) => ({
  apiGroups: ['cluster.karmada.io'],
  resources: ['clusterspaces', 'clusters/proxy'],
  verbs,
  ...(resourceNames ? { resourceNames } : {}),
});

const builder = { kind: 'User', name: 'system:serviceaccount:default:builder' } as const;
const user = (name: string) => ({ kind: 'User', name }) as const;

export async function prepare({ controlPlane, members }: Fleet<Name>): Promise<void> {
  const inControlPlane = [
    role('reach-all', reaching(['*'])),
    role('reach-member1', reaching(['get', 'list'], ['member1'])),
    role('read-all', reaching(['get', 'list', 'watch'])),
    binding('reach-all-people', 'reach-all', { kind: 'Group', name: 'people' }),
    binding('reach-all-builder', 'reach-all', builder),
    binding('read-all-rita', 'read-all', user('rita')),
    binding('reach-member1-dora', 'reach-member1', user('dora')),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder', namespace: 'default' } },
  ];
  const inBoth = [
    // Their own account of the same name may do all: the control plane's must not be taken for it.
    binding('builder', 'cluster-admin', builder),
    binding('dora', 'view', user('dora')),
  ];
  const inMember1 = [binding('alice', 'view', user('alice')), binding('rita', 'cluster-admin', user('rita'))];
  await Promise.all([
    apply(controlPlane, ...inControlPlane),
    apply(members.member1, ...inBoth, ...inMember1),
    apply(members.member2, ...inBoth),
  ]);
}
