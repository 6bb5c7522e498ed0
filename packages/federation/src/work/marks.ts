/** The labels and annotations that name the owner of a member's object: set, read, and removed again (FED-3, FED-8, FED-9). */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '../api/objects.ts';
import { bindingIdLabels } from '../binding/binding-of.ts';
import { claimAnnotationKeys, claimLabelKeys } from '../claim/claim-marks.ts';

export const managedLabel = 'karmada.io/managed';
/** All that the pipeline has put into a member. */
export const managedSelector = `${managedLabel}=true`;
export const workIdLabel = 'work.karmada.io/permanent-id';
export const workNameAnnotation = 'work.karmada.io/name';
export const workNamespaceAnnotation = 'work.karmada.io/namespace';
export const conflictResolutionAnnotation = 'work.karmada.io/conflict-resolution';

const { namespaced: bindingIdLabel, cluster: clusterBindingIdLabel } = bindingIdLabels;
export const bindingNameAnnotation = 'resourcebinding.karmada.io/name';
export const bindingNamespaceAnnotation = 'resourcebinding.karmada.io/namespace';
export const clusterBindingNameAnnotation = 'clusterresourcebinding.karmada.io/name';

export const templateUidAnnotation = 'resourcetemplate.karmada.io/uid';
export const templateGenerationAnnotation = 'resourcetemplate.karmada.io/generation';
export const managedLabelsAnnotation = 'resourcetemplate.karmada.io/managed-labels';
export const managedAnnotationsAnnotation = 'resourcetemplate.karmada.io/managed-annotations';

const labels = new Set([
  managedLabel,
  workIdLabel,
  bindingIdLabel,
  clusterBindingIdLabel,
  // A member's object has its template's claim, too.
  ...claimLabelKeys,
]);

const annotations = new Set([
  workNameAnnotation,
  workNamespaceAnnotation,
  conflictResolutionAnnotation,
  bindingNameAnnotation,
  bindingNamespaceAnnotation,
  clusterBindingNameAnnotation,
  templateUidAnnotation,
  templateGenerationAnnotation,
  managedLabelsAnnotation,
  managedAnnotationsAnnotation,
  ...claimAnnotationKeys,
]);

export type Resolution = 'abort' | 'overwrite';

export interface Identity {
  /** None: cluster-scoped. */
  namespace?: string | undefined;
  name: string;
  permanentId: string;
}

export interface Marks {
  work: Identity;
  /** None: a Namespace, whose Works have no binding (FED-10). */
  binding?: Identity | undefined;
  template: { uid?: string | undefined; generation?: number | undefined };
  conflictResolution?: Resolution | undefined;
}

type Texts = Record<string, string>;

export function marked(manifest: AnyObject, marks: Marks): AnyObject {
  const { work, binding, template, conflictResolution } = marks;
  const marksOfAll: Texts = {
    ...manifest.metadata.annotations,
    ...(binding && bindingAnnotations(binding)),
    ...(template.generation && { [templateGenerationAnnotation]: String(template.generation) }),
    [templateUidAnnotation]: template.uid ?? '',
    [workNameAnnotation]: work.name,
    [workNamespaceAnnotation]: work.namespace ?? '',
    ...(conflictResolution && { [conflictResolutionAnnotation]: conflictResolution }),
  };
  const labelsOfAll: Texts = {
    ...manifest.metadata.labels,
    ...(binding && bindingLabels(binding)),
    [managedLabel]: 'true',
    [workIdLabel]: work.permanentId,
  };
  const lists = { [managedLabelsAnnotation]: '', [managedAnnotationsAnnotation]: '' };
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      labels: labelsOfAll,
      annotations: {
        ...marksOfAll,
        [managedLabelsAnnotation]: keysOf(labelsOfAll),
        [managedAnnotationsAnnotation]: keysOf({ ...marksOfAll, ...lists }),
      },
    },
  };
}

const keysOf = (texts: Texts): string => Object.keys(texts).sort().join(',');

/** Also those of the binding's Works. */
export const bindingAnnotations = ({ namespace, name }: Identity): Texts =>
  namespace
    ? { [bindingNamespaceAnnotation]: namespace, [bindingNameAnnotation]: name }
    : { [clusterBindingNameAnnotation]: name };

export const bindingLabels = ({ namespace, permanentId }: Identity): Texts => ({
  [namespace ? bindingIdLabel : clusterBindingIdLabel]: permanentId,
});

/** The object without marks and claim, so that it belongs to the member alone. */
export function withoutMarks(object: AnyObject): AnyObject {
  const { labels: oldLabels, annotations: oldAnnotations, ...others } = object.metadata;
  const [labelsLeft, annotationsLeft] = [without(oldLabels, labels), without(oldAnnotations, annotations)];
  return {
    ...object,
    metadata: {
      ...others,
      ...(labelsLeft && { labels: labelsLeft }),
      ...(annotationsLeft && { annotations: annotationsLeft }),
    },
  };
}

function without(texts: Texts | undefined, keys: ReadonlySet<string>): Texts | undefined {
  const left = Object.entries(texts ?? {}).filter(([key]) => !keys.has(key));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

type Marked = Pick<KubeObject, 'metadata'>;

const labelOf = ({ metadata }: Marked, key: string): string | undefined => metadata.labels?.[key] || undefined;

const annotationOf = ({ metadata }: Marked, key: string): string | undefined =>
  metadata.annotations?.[key] || undefined;

export const isManaged = (object: Marked): boolean => labelOf(object, managedLabel) === 'true';

/**
 * Whether a member's object comes from this manifest: its marks name a Work of the same cluster, or the same Work. The marks of a Karmada
 * that the federation takes over from do so, too. Those of another fleet name another cluster, and an object without marks names none.
 */
export function isManagedAs(manifest: Marked, observed: Marked): boolean {
  if (!isManaged(observed)) return false;
  const [id, space] = [workIdOf(observed), annotationOf(observed, workNamespaceAnnotation)];
  const isSameCluster = space === undefined || space === annotationOf(manifest, workNamespaceAnnotation);
  return isSameCluster || (id !== undefined && id === workIdOf(manifest));
}

/** The Work of a member's object, as `namespace/name`. */
export function workNameOf(object: Marked): string | undefined {
  const [namespace, name] = [annotationOf(object, workNamespaceAnnotation), annotationOf(object, workNameAnnotation)];
  return namespace && name ? `${namespace}/${name}` : undefined;
}

/** Of a Work, or of a member's object. */
export const workIdOf = (object: Marked): string | undefined => labelOf(object, workIdLabel);

/** The permanent id of the binding that this is, or that a Work or a member's object comes from; a list, as it is a key of indexes. */
export function bindingIdOf(object: Marked): [string] | undefined {
  const id = labelOf(object, bindingIdLabel) ?? labelOf(object, clusterBindingIdLabel);
  return id === undefined ? undefined : [id];
}

/** The binding of a Work or of a member's object, as by `keyOf`. */
export function bindingNameOf(object: Marked): string | undefined {
  const { namespace, name } = bindingOf(object) ?? {};
  return namespace ? `${namespace}/${name}` : name;
}

export const templateUidOf = (object: Marked): string | undefined => annotationOf(object, templateUidAnnotation);

/** The annotation of a template or a manifest; other values are ignored. */
export function conflictResolutionOf(object: Marked): Resolution | undefined {
  const value = annotationOf(object, conflictResolutionAnnotation);
  return value === 'abort' || value === 'overwrite' ? value : undefined;
}

/** The keys of labels and annotations that the last write put on a member's object. */
export const managedKeysOf = (object: Marked): { labels: ReadonlySet<string>; annotations: ReadonlySet<string> } => ({
  labels: new Set(annotationOf(object, managedLabelsAnnotation)?.split(',')),
  annotations: new Set(annotationOf(object, managedAnnotationsAnnotation)?.split(',')),
});

/** All marks of a member's object. Undefined where it is not managed, or its Work is not named. */
export function marksOf(object: Marked): Marks | undefined {
  const [namespace, name] = [annotationOf(object, workNamespaceAnnotation), annotationOf(object, workNameAnnotation)];
  if (!isManaged(object) || !namespace || !name) return undefined;
  const generation = Number(annotationOf(object, templateGenerationAnnotation));
  return {
    work: { namespace, name, permanentId: workIdOf(object) ?? '' },
    binding: bindingOf(object),
    template: { uid: templateUidOf(object), generation: Number.isInteger(generation) ? generation : undefined },
    conflictResolution: conflictResolutionOf(object),
  };
}

function bindingOf(object: Marked): Identity | undefined {
  const namespace = annotationOf(object, bindingNamespaceAnnotation);
  const name = annotationOf(object, namespace ? bindingNameAnnotation : clusterBindingNameAnnotation);
  const [permanentId = ''] = bindingIdOf(object) ?? [];
  return name === undefined ? undefined : { ...(namespace && { namespace }), name, permanentId };
}
