/** Roles and bindings, and the way to put them into a cluster. */

import type { Member } from '@fleet/bed/member.ts';
import { expect } from 'vitest';

const group = 'rbac.authorization.k8s.io';

export interface Subject {
  kind: 'User' | 'Group';
  name: string;
}

export const role = (name: string, ...rules: object[]) => ({
  apiVersion: `${group}/v1`,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});

export const binding = (name: string, to: string, subject: Subject) => ({
  apiVersion: `${group}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: group, kind: 'ClusterRole', name: to },
  subjects: [{ apiGroup: group, ...subject }],
});

/** The permission to reach every member, in the control plane (AUTHZ-2). */
export const reach = role('reach', {
  apiGroups: ['cluster.karmada.io'],
  resources: ['clusterspaces', 'clusters/proxy'],
  verbs: ['*'],
});

export async function apply(cluster: Member, ...items: object[]): Promise<void> {
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { code, stderr } = await cluster.kubectl('apply', '-f', '-', { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}
