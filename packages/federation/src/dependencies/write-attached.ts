/** Writes the bindings of dependents, where a parent changes something in them (FED-11). */

import { keyOf } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import type { Binding, BindingSnapshot } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import { inNamespace } from '../api/paths.ts';
import { belongsToAnother } from '../binding/merge-binding.ts';
import { bindingPath, bindingSubject, bindingWithKey, collectionOf, type Pipeline } from '../pipeline.ts';
import { attach, detach, newAttached, type ParentNamed } from './attached-binding.ts';
import { agreedPolicies } from './parent-policies.ts';

/** Whether something was written. */
export async function attachTo(pipeline: Pipeline, dependent: AnyObject, parent: Binding): Promise<boolean> {
  const { client } = pipeline;
  const made = newAttached(dependent, crypto.randomUUID());
  const known = bindingWithKey(pipeline, keyOf(made));
  // Its dependent is being deleted, or the parent is queued again once the binding is deleted.
  if ((known ?? dependent).metadata.deletionTimestamp !== undefined) return false;
  if (known && belongsToAnother(known, made)) {
    // The garbage collector removes it.
    throw new Error(`the binding ${made.metadata.name} belongs to an earlier template`);
  }
  const parentNamed = parentsIn(pipeline);
  const attached = attach(known ?? made, dependent, parent, parentNamed);
  // Parents can disagree on something else than before while the outcome stays.
  reportConflicts(pipeline, attached, (one) =>
    keyOf({ metadata: one }) === keyOf(parent) ? parent : parentNamed(one),
  );
  if (attached === known) return false;
  if (known) await client.replace(bindingPath(known), attached);
  else await client.create(inNamespace(collectionOf(attached), attached.metadata.namespace), attached);
  return true;
}

/** Whether something was written. */
export async function detachFrom(pipeline: Pipeline, binding: Binding, parent: BindingSnapshot): Promise<boolean> {
  const { client } = pipeline;
  const detached = detach(binding, parent, parentsIn(pipeline));
  if (detached === binding) return false;
  try {
    if (detached) await client.replace(bindingPath(binding), detached);
    else await client.delete(bindingPath(binding), onlyAsItIs(binding));
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
  return true;
}

/** A policy or another parent may need it by now. */
const onlyAsItIs = ({ metadata: { uid, resourceVersion } }: Binding) => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  preconditions: { uid, resourceVersion },
});

function reportConflicts({ record }: Pipeline, attached: Binding, parentNamed: ParentNamed): void {
  const { placement, requiredBy = [] } = attached.spec;
  if (placement !== undefined) return;
  const { conflicts } = agreedPolicies(requiredBy.flatMap((one) => parentNamed(one) ?? []));
  if (conflicts.length === 0) return;
  const message = `Dependency policy conflict detected: ${conflicts.join('; ')}.`;
  record(bindingSubject(attached), 'Warning', 'DependencyPolicyConflict', message);
}

const parentsIn =
  (pipeline: Pipeline): ParentNamed =>
  (parent) =>
    bindingWithKey(pipeline, keyOf({ metadata: parent }));
