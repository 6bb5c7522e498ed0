/** The binding of a dependent: created for its first parent, and updated when parents are added, changed or removed (FED-11). */

import { isDeepStrictEqual } from 'node:util';
import type { Binding, BindingSnapshot } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import { bindingFinalizers, bindingIdLabels, ownerOf, referenceTo } from '../binding/binding-of.ts';
import { bindingIdOf } from '../work/marks.ts';
import { bindingName } from '../work/work-name.ts';
import { dependedByLabel } from './parent-marks.ts';
import { agreedPolicies } from './parent-policies.ts';

/** The parent as it is now; undefined where it is gone. */
export type ParentNamed = (snapshot: BindingSnapshot) => Binding | undefined;

/** A new binding without parents and without a placement, in the namespace of the dependent. */
export function newAttached(dependent: AnyObject, permanentId: string): Binding {
  const { kind, metadata } = dependent;
  const { namespace } = metadata;
  const scope = namespace ? 'namespaced' : 'cluster';
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: namespace ? 'ResourceBinding' : 'ClusterResourceBinding',
    metadata: {
      name: bindingName(kind, metadata.name),
      ...(namespace ? { namespace } : {}),
      labels: { [bindingIdLabels[scope]]: permanentId },
      ownerReferences: [ownerOf(dependent)],
      finalizers: [bindingFinalizers[scope]],
    },
    spec: { resource: referenceTo(dependent) },
  };
}

/** The same binding if it has the parent as it is now. */
export function attach(known: Binding, dependent: AnyObject, parent: Binding, parentNamed: ParentNamed): Binding {
  const snapshot = snapshotOf(parent);
  const others = (known.spec.requiredBy ?? []).filter((one) => !isSame(one, snapshot));
  const [permanentId = ''] = bindingIdOf(parent) ?? [];
  const attached = withParents(
    {
      ...known,
      metadata: { ...known.metadata, labels: { ...known.metadata.labels, [dependedByLabel(snapshot)]: permanentId } },
      // If a policy has claimed the dependent, its claim writes the reference.
      spec: { ...known.spec, ...(isDependent(known) ? { resource: referenceTo(dependent) } : {}) },
    },
    [...others, snapshot],
    (one) => (isSame(one, snapshot) ? parent : parentNamed(one)),
  );
  return isDeepStrictEqual(attached, known) ? known : attached;
}

/** Undefined if the binding has no placement of its own and no parents left. The same binding if it did not have the parent. */
export function detach(known: Binding, parent: BindingSnapshot, parentNamed: ParentNamed): Binding | undefined {
  const left = (known.spec.requiredBy ?? []).filter((one) => !isSame(one, parent));
  if (left.length === 0 && isDependent(known)) return undefined;
  const { [dependedByLabel(parent)]: _removed, ...labels } = known.metadata.labels ?? {};
  const metadata = { ...known.metadata, ...(known.metadata.labels ? { labels } : {}) };
  const detached = withParents({ ...known, metadata }, left, parentNamed);
  return isDeepStrictEqual(detached, known) ? known : detached;
}

/** Whether a dependent's binding names the parent as it is now. */
export function isAttached({ metadata, spec }: Binding, parent: Binding): boolean {
  const snapshot = snapshotOf(parent);
  const [permanentId = ''] = bindingIdOf(parent) ?? [];
  return (
    metadata.labels?.[dependedByLabel(snapshot)] === permanentId &&
    (spec.requiredBy?.some((one) => isDeepStrictEqual(one, snapshot)) ?? false)
  );
}

/** A binding with a placement has a policy of its own, or had one: then its clusters are kept. */
const isDependent = ({ spec }: Binding): boolean => spec.placement === undefined;

const isSame = (one: BindingSnapshot, other: BindingSnapshot): boolean =>
  (one.namespace ?? '') === (other.namespace ?? '') && one.name === other.name;

/** In the order of names, so that the order in which parents have come does not matter. */
function withParents(binding: Binding, requiredBy: readonly BindingSnapshot[], parentNamed: ParentNamed): Binding {
  const { requiredBy: _before, ...spec } = binding.spec;
  const parents = requiredBy.flatMap((one) => parentNamed(one) ?? []);
  const { conflictResolution, preserveResourcesOnDeletion } = agreedPolicies(parents);
  return {
    ...binding,
    spec: {
      ...spec,
      ...(requiredBy.length > 0 ? { requiredBy: [...requiredBy].sort(byNames) } : {}),
      ...(isDependent(binding) ? { conflictResolution, preserveResourcesOnDeletion } : {}),
    },
  };
}

const byNames = (left: BindingSnapshot, right: BindingSnapshot): number =>
  compare(left.namespace ?? '', right.namespace ?? '') || compare(left.name, right.name);

const compare = (left: string, right: string): number => Number(left > right) - Number(left < right);

const snapshotOf = ({ metadata: { namespace, name }, spec: { clusters } }: Binding): BindingSnapshot => ({
  ...(namespace ? { namespace } : {}),
  name,
  ...(clusters?.length ? { clusters } : {}),
});
