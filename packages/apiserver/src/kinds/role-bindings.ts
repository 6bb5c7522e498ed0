/** The kinds RoleBinding and ClusterRoleBinding (Kubernetes' `rbac/validation`): their roleRef is immutable. */

import { isDeepStrictEqual } from 'node:util';
import { type FieldError, invalidValue, notSupported, required } from '../errors/field-error.ts';
import { dnsSubdomainFaults, pathSegmentFaults } from '../names/name-rules.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { ageColumn, type Column, nameColumn, type PrintedKind } from '../registry/printed-kind.ts';
import type { Strategy } from '../registry/resource-kind.ts';
import { finalizerErrors } from './core.ts';
import { rbacGroup } from './roles.ts';
import { served } from './served.ts';

interface Subject {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
}

interface RoleRef {
  apiGroup: string;
  kind: string;
  name: string;
}

const roleRefOf = (binding: KubeObject): RoleRef => binding['roleRef'] as RoleRef;
const subjectsOf = (binding: KubeObject): Subject[] => (binding['subjects'] ?? []) as Subject[];

function binding(resource: string, kinds: readonly string[]): PrintedKind {
  const base = served(rbacGroup, resource);
  return {
    ...base,
    nameFaults: pathSegmentFaults,
    checksAgain: 'all',
    strategy: bindingStrategy(base.namespaced, kinds),
    columns: [nameColumn, roleColumn(base.kind), ageColumn, ...subjectColumns(base.kind)],
  };
}

const bindingStrategy = (namespaced: boolean, kinds: readonly string[]): Strategy => ({
  complete: (object) => {
    const roleRef = roleRefOf(object);
    roleRef.apiGroup ||= rbacGroup;
    for (const subject of subjectsOf(object)) {
      if (!subject.apiGroup && ['User', 'Group'].includes(subject.kind)) subject.apiGroup = rbacGroup;
    }
  },
  validate: (object) => [
    ...finalizerErrors(object),
    ...roleRefErrors(roleRefOf(object), kinds),
    ...subjectsOf(object).flatMap((subject, index) => subjectErrors(subject, namespaced, `subjects[${index}]`)),
  ],
  validateUpdate: (object, old) => [
    ...finalizerErrors(object),
    ...(isDeepStrictEqual(roleRefOf(object), roleRefOf(old))
      ? []
      : [invalidValue('roleRef', asGo(roleRefOf(object)), 'cannot change roleRef')]),
  ],
});

/** Kubernetes' internal type has no JSON names, so error texts show Go's field names. */
const asGo = ({ apiGroup, kind, name }: RoleRef) => ({ APIGroup: apiGroup, Kind: kind, Name: name });

function roleRefErrors({ apiGroup, kind, name }: RoleRef, kinds: readonly string[]): FieldError[] {
  return [
    ...(apiGroup === rbacGroup ? [] : [notSupported('roleRef.apiGroup', apiGroup, [rbacGroup])]),
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(name
      ? pathSegmentFaults(name).map((fault) => invalidValue('roleRef.name', name, fault))
      : [required('roleRef.name')]),
  ];
}

function subjectErrors(
  { kind, apiGroup = '', name, namespace }: Subject,
  namespaced: boolean,
  at: string,
): FieldError[] {
  const errors = name ? [] : [required(`${at}.name`)];
  switch (kind) {
    case 'ServiceAccount':
      if (name) errors.push(...dnsSubdomainFaults(name).map((fault) => invalidValue(`${at}.name`, name, fault)));
      if (apiGroup) errors.push(notSupported(`${at}.apiGroup`, apiGroup, ['']));
      if (!namespaced && !namespace) errors.push(required(`${at}.namespace`));
      return errors;
    case 'User':
    case 'Group':
      if (apiGroup !== rbacGroup) errors.push(notSupported(`${at}.apiGroup`, apiGroup, [rbacGroup]));
      return errors;
    default:
      return [...errors, notSupported(`${at}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
}

const roleColumn = (kind: string): Column => ({
  name: 'Role',
  type: 'string',
  description:
    kind === 'RoleBinding'
      ? 'RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.'
      : 'RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  cell: (object) => `${roleRefOf(object).kind}/${roleRefOf(object).name}`,
});

const subjectColumns = (kind: string): Column[] =>
  ['User', 'Group', 'ServiceAccount'].map((of) => ({
    name: `${of}s`,
    type: 'string',
    priority: 1,
    description: `${of}s in the ${kind.charAt(0).toLowerCase()}${kind.slice(1)}`,
    cell: (object) =>
      subjectsOf(object)
        .filter((subject) => subject.kind === of)
        .map(({ namespace, name }) => (of === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
        .join(', '),
  }));

export const roleBindings = binding('rolebindings', ['Role', 'ClusterRole']);
export const clusterRoleBindings = binding('clusterrolebindings', ['ClusterRole']);
