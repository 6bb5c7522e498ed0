/** A parent's own binding: its dependencies are explored and recorded on it, and removed from it when it has none left (FED-11). */

import { isStatus } from '@fleet/client/kube-client.ts';
import type { Binding } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import type { Dependency } from '../explore/object-rules.ts';
import { bindingPath, type Pipeline } from '../pipeline.ts';
import { dependenciesAnnotation, dependenciesFinalizer, dependenciesText, hasFinalizer } from './parent-marks.ts';

export async function exploredDependencies(
  { explorer, record }: Pipeline,
  template: AnyObject,
  parent: Binding,
): Promise<Dependency[]> {
  try {
    const dependencies = await explorer.dependencies(template);
    const text = dependenciesText(dependencies);
    const before = parent.metadata.annotations?.[dependenciesAnnotation];
    if (dependencies.length > 0 && before !== text) {
      record(template, 'Normal', 'GetDependenciesSucceed', `Get dependencies(${text}) succeed.`);
    }
    return dependencies;
  } catch (error) {
    record(template, 'Warning', 'GetDependenciesFailed', (error as Error).message);
    throw error;
  }
}

/** The same binding if it has the marks. Undefined where it is gone. */
export async function markParent(
  pipeline: Pipeline,
  parent: Binding,
  dependencies: readonly Dependency[],
): Promise<Binding | undefined> {
  const { resourceVersion, annotations, finalizers = [] } = parent.metadata;
  const text = dependenciesText(dependencies);
  if (hasFinalizer(parent) && annotations?.[dependenciesAnnotation] === text) return parent;
  const metadata = {
    resourceVersion,
    annotations: { [dependenciesAnnotation]: text },
    finalizers: hasFinalizer(parent) ? finalizers : [...finalizers, dependenciesFinalizer],
  };
  return patched(pipeline, parent, metadata);
}

export async function unmarkParent(pipeline: Pipeline, parent: Binding): Promise<void> {
  const { resourceVersion, finalizers = [] } = parent.metadata;
  await patched(pipeline, parent, {
    resourceVersion,
    annotations: { [dependenciesAnnotation]: null },
    finalizers: finalizers.filter((one) => one !== dependenciesFinalizer),
  });
}

async function patched({ client }: Pipeline, parent: Binding, metadata: object): Promise<Binding | undefined> {
  try {
    return await client.patch<Binding>(bindingPath(parent), 'merge', { metadata });
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}
