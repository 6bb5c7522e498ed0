/** The annotation and finalizer of a parent's binding, and the label of its dependents' bindings (FED-11). Names are Karmada's. */

import { isRecord } from '@fleet/kube/is-record.ts';
import type { Binding, BindingSnapshot } from '../api/bindings.ts';
import type { Dependency } from '../explore/object-rules.ts';
import { bindingReferenceKey } from '../work/work-name.ts';

/** Until no dependent's binding names the parent. */
export const dependenciesFinalizer = 'karmada.io/binding-dependencies-distributor';
export const dependenciesAnnotation = 'resourcebinding.karmada.io/dependencies';
const dependedByPrefix = 'resourcebinding.karmada.io/depended-by-';

/** Its value is the parent's permanent id. */
export const dependedByLabel = ({ namespace, name }: BindingSnapshot): string =>
  `${dependedByPrefix}${bindingReferenceKey(namespace, name)}`;

/** For an index: the labels of all parents that a dependent's binding names. */
export const dependedByLabelsOf = ({ metadata }: Binding): readonly string[] =>
  Object.keys(metadata.labels ?? {}).filter((key) => key.startsWith(dependedByPrefix));

export const isParent = ({ metadata, spec }: Binding): boolean =>
  spec.propagateDeps === true && metadata.deletionTimestamp === undefined;

export const hasFinalizer = ({ metadata }: Binding): boolean =>
  metadata.finalizers?.includes(dependenciesFinalizer) ?? false;

/** The text of the annotation. */
export const dependenciesText = (dependencies: readonly Dependency[]): string => JSON.stringify(dependencies);

/** The dependencies of a parent. None if the annotation is not valid: the parent is reconciled and writes it again. */
export function recordedDependencies({ metadata }: Binding): Dependency[] {
  const text = metadata.annotations?.[dependenciesAnnotation];
  if (!text) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isDependency) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

const isDependency = (value: unknown): value is Dependency =>
  isRecord(value) && typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string';
