/** Propagates the dependencies of a template to the clusters of the template: their bindings name it as a parent (FED-11). */

import { keyOf } from '@fleet/client/informer.ts';
import { isStatus } from '@fleet/client/kube-client.ts';
import type { Binding, BindingSnapshot } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import { ownersOf } from '../binding/owners.ts';
import { templateOf } from '../binding/template-of.ts';
import { bindingSubject, bindingsOf, bindingWithKey, type Pipeline, reconciling } from '../pipeline.ts';
import { isAttached } from './attached-binding.ts';
import { dependentsOf, indexKeysFor, indexKeysOf, isMeant } from './dependents.ts';
import {
  dependedByLabel,
  dependedByLabelsOf,
  dependenciesAnnotation,
  hasFinalizer,
  isParent,
  recordedDependencies,
} from './parent-marks.ts';
import { attachTo, detachFrom } from './write-attached.ts';
import { exploredDependencies, markParent, unmarkParent } from './write-parent.ts';

export function distributeDependencies(pipeline: Pipeline): AsyncDisposable {
  const { templates } = pipeline;
  const bindings = bindingsOf(pipeline);
  const attached = bindings.map((all) => all.index('parents', dependedByLabelsOf));
  const parentsOf = bindings.map((all) =>
    all.index('dependencies', (one) => (isParent(one) ? indexKeysOf(recordedDependencies(one)) : [])),
  );
  const ofTemplate = bindings.map((all) => all.index('owner', ownersOf));
  const queue = reconciling(pipeline, 'dependencies', (key) => reconcile(key));
  const add = (key: string) => queue.add(key, key);

  /** Those that are being deleted go with all that they name. */
  const attachedTo = (parent: BindingSnapshot): Binding[] =>
    attached
      .flatMap((index) => [...index.get(dependedByLabel(parent))])
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined);

  const reconcile = async (key: string): Promise<void> => {
    const parent = bindingWithKey(pipeline, key);
    const reference = parent?.metadata ?? snapshotOfKey(key);
    const known = attachedTo(reference);
    if (!parent || !isParent(parent)) {
      for (const binding of known) await detachFrom(pipeline, binding, reference);
      // A dependent's binding that arrives later queues the parent again, whether the parent still exists or not.
      if (parent && hasFinalizer(parent)) await unmarkParent(pipeline, parent);
      return;
    }
    const template = templateOf(templates, parent);
    if (!template) return;
    await distribute(pipeline, parent, template, known);
  };

  const bindingChanged = (now: Binding | undefined, old: Binding | undefined) => {
    const binding = (now ?? old)!;
    const concerns = [now, old].some((one) => one && (one.spec.propagateDeps || hasFinalizer(one)));
    if (concerns && !(now && old && isSameParent(now, old))) add(keyOf(binding));
    for (const key of parentsToCheck(pipeline, now, old)) add(key);
  };

  const templateChanged = (now: AnyObject | undefined, old: AnyObject | undefined) => {
    if (now && isNewContent(now, old)) {
      for (const index of ofTemplate) {
        for (const one of index.get(now.metadata.uid ?? '')) if (isParent(one)) add(keyOf(one));
      }
    }
    for (const parent of parentsOf.flatMap((index) =>
      indexKeysFor((now ?? old)!).flatMap((key) => [...index.get(key)]),
    )) {
      const dependencies = recordedDependencies(parent);
      const [is, was] = [now, old].map((one) => (one && isMeant(dependencies, one) ? one.metadata.uid : undefined));
      if (is !== was) add(keyOf(parent));
    }
  };

  const watches = [
    ...bindings.map((all) => all.subscribe((_key, now, old) => bindingChanged(now, old))),
    templates.subscribe(templateChanged),
    pipeline.onHooks(() => {
      for (const all of bindings) for (const one of all.values()) if (isParent(one)) add(keyOf(one));
    }),
  ];
  return {
    async [Symbol.asyncDispose]() {
      for (const watch of watches) watch[Symbol.dispose]();
      await queue[Symbol.asyncDispose]();
    },
  };
}

async function distribute(pipeline: Pipeline, known: Binding, template: AnyObject, attached: Binding[]): Promise<void> {
  // A parent without clusters has no dependents, and its webhook is not called.
  const isScheduled = (known.spec.clusters?.length ?? 0) > 0;
  if (!isScheduled && !hasFinalizer(known)) return;
  const dependencies = await exploredDependencies(pipeline, template, known);
  if (dependencies.length === 0 && !hasFinalizer(known)) return;
  const { record, templates } = pipeline;
  const parent = await markParent(pipeline, known, dependencies);
  if (!parent) return;
  const dependents = isScheduled ? dependentsOf(dependencies, templates) : [];
  const others = dependents.filter(({ metadata }) => metadata.uid !== template.metadata.uid);
  const current = new Set(others.map(({ metadata }) => metadata.uid));
  const left = attached.filter(({ spec }) => !current.has(spec.resource.uid));
  const results = await Promise.allSettled([
    ...left.map((binding) => detachFrom(pipeline, binding, parent.metadata)),
    ...others.map((dependent) => attachTo(pipeline, dependent, parent)),
  ]);
  // One dependent that fails keeps no other from its binding.
  const failures = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  if (failures.length > 0) {
    const faults = failures.filter((error) => !isStatus(error, 409));
    if (faults.length === 0) throw failures[0];
    const message = faults.map(({ message }) => message).join(', ');
    record(bindingSubject(parent), 'Warning', 'SyncScheduleResultToDependenciesFailed', message);
    throw new Error(message);
  }
  const isWritten = results.some((one) => one.status === 'fulfilled' && one.value);
  if (!isWritten && parent === known) return;
  const message = 'Sync schedule results to dependencies succeed.';
  record(bindingSubject(parent), 'Normal', 'SyncScheduleResultToDependenciesSucceed', message);
}

/** All of a parent's binding that its dependents' bindings depend on. */
const isSameParent = (now: Binding, old: Binding): boolean =>
  now.metadata.generation !== undefined &&
  now.metadata.generation === old.metadata.generation &&
  now.metadata.deletionTimestamp === old.metadata.deletionTimestamp &&
  isMarked(now) >= isMarked(old);

/** What somebody has removed is written again. */
const isMarked = (binding: Binding): boolean =>
  hasFinalizer(binding) && binding.metadata.annotations?.[dependenciesAnnotation] !== undefined;

/** A status that is written back changes no dependencies. */
const isNewContent = ({ metadata: now }: AnyObject, old: AnyObject | undefined): boolean =>
  old === undefined || now.generation === undefined || now.generation !== old.metadata.generation;

/** Keys of the parents for which a dependent's binding is out of date, or that are no parents any more. */
function parentsToCheck(pipeline: Pipeline, now: Binding | undefined, old: Binding | undefined): string[] {
  const named = [...(now?.spec.requiredBy ?? []), ...(old?.spec.requiredBy ?? [])].map((metadata) =>
    keyOf({ metadata }),
  );
  return [...new Set(named)].filter((key) => {
    const parent = bindingWithKey(pipeline, key);
    if (!now || now.metadata.deletionTimestamp !== undefined || !parent || !isParent(parent)) return true;
    return !isAttached(now, parent);
  });
}

function snapshotOfKey(key: string): BindingSnapshot {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
