/** Reconciles the bootstrap roles and bindings at each start, as kube-apiserver does: missing permissions are added. */

import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import { decodeObject } from '../registry/stored-object.ts';
import type { Subject } from './binding-index.ts';
import { missingRules } from './covers.ts';
import { bootstrapPolicy } from './generated/bootstrap-policy.ts';
import { type RbacRegistries, rulesOf } from './rule-resolver.ts';

/** `false` keeps an object unchanged. */
const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';

const registryOf = (registries: RbacRegistries, kind: string): ObjectRegistry => {
  switch (kind) {
    case 'ClusterRole':
      return registries.clusterRoles;
    case 'ClusterRoleBinding':
      return registries.clusterRoleBindings;
    case 'Role':
      return registries.roles;
    default:
      return registries.roleBindings;
  }
};

export async function ensureBootstrapPolicy(registries: RbacRegistries): Promise<void> {
  const expected = bootstrapPolicy.split('\n').map((line) => JSON.parse(line) as KubeObject);
  const byRegistry = Map.groupBy(expected, ({ kind }) => registryOf(registries, kind));
  await Promise.all(
    [...byRegistry].map(async ([registry, objects]) => {
      const { entries } = await registry.list();
      const there = new Map(entries.map(decodeObject).map((object) => [placeOf(object), object]));
      await Promise.all(objects.map((object) => reconcile(registry, object, there.get(placeOf(object)))));
    }),
  );
}

const placeOf = ({ metadata: { namespace = '', name } }: KubeObject): string => `${namespace}/${name}`;

async function reconcile(registry: ObjectRegistry, expected: KubeObject, known: KubeObject | undefined): Promise<void> {
  const { name, namespace } = expected.metadata;
  if (!known) {
    await registry.create(expected, { namespace });
    return;
  }
  if (known.metadata.annotations?.[autoUpdate] === 'false') return;
  if (!isDeepStrictEqual(known['roleRef'], expected['roleRef'])) {
    // The roleRef of a binding is immutable: it is created again.
    await registry.delete(name!, { namespace });
    await registry.create(expected, { namespace });
    return;
  }
  if (isDeepStrictEqual(reconciled(known, expected), known)) return;
  await registry.update(name!, { namespace }, (old) => reconciled(old!, expected));
}

function reconciled(known: KubeObject, expected: KubeObject): KubeObject {
  const { labels, annotations } = known.metadata;
  const made: KubeObject = {
    ...known,
    metadata: {
      ...known.metadata,
      labels: { ...expected.metadata.labels, ...labels },
      annotations: { ...expected.metadata.annotations, ...annotations },
    },
  };
  if (expected['roleRef']) {
    const missing = missingSubjects(known, expected);
    if (missing.length > 0) made['subjects'] = [...subjectsOf(known), ...missing];
    return made;
  }
  const missing = missingRules(rulesOf(known), rulesOf(expected));
  if (missing.length > 0) made['rules'] = [...rulesOf(known), ...missing];
  if (expected['aggregationRule']) made['aggregationRule'] ??= expected['aggregationRule'];
  else delete made['aggregationRule'];
  return made;
}

const subjectsOf = ({ subjects }: KubeObject): Subject[] => (subjects as Subject[] | undefined) ?? [];

const missingSubjects = (known: KubeObject, expected: KubeObject): Subject[] =>
  subjectsOf(expected).filter((one) => !subjectsOf(known).some((other) => isDeepStrictEqual(one, other)));
