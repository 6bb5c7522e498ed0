/** What is sent to update a member's object: the manifest of the Work, with the fields that the member owns (FED-8). */

import type { AnyObject } from '../api/objects.ts';
import type { ObjectRules } from '../explore/object-rules.ts';
import { managedKeysOf } from './marks.ts';

export interface Update {
  desired: AnyObject;
  observed: AnyObject;
  rules: Pick<ObjectRules, 'retain'> | undefined;
}

export function retained({ desired, observed, rules }: Update): AnyObject {
  const object = retainedMetadata(desired, observed);
  return rules?.retain ? rules.retain(object, observed) : object;
}

/** The metadata that is retained for every kind. The write fails if the object has changed since it was observed. */
export function retainedMetadata(desired: AnyObject, observed: AnyObject): AnyObject {
  const { finalizers: _finalizers, ownerReferences: _owners, labels, annotations, ...others } = desired.metadata;
  const { resourceVersion, finalizers = [], ownerReferences = [] } = observed.metadata;
  const managed = managedKeysOf(observed);
  const keptLabels = merged(labels, observed.metadata.labels, managed.labels);
  const keptAnnotations = merged(annotations, observed.metadata.annotations, managed.annotations);
  return {
    ...desired,
    metadata: {
      ...others,
      ...(keptLabels && { labels: keptLabels }),
      ...(keptAnnotations && { annotations: keptAnnotations }),
      ...(finalizers.length > 0 && { finalizers }),
      ...(ownerReferences.length > 0 && { ownerReferences }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
  };
}

type Texts = Record<string, string>;

/** A key of the last write that is no longer desired is removed; other keys are the member's. */
function merged(
  desired: Texts | undefined,
  observed: Texts | undefined,
  managed: ReadonlySet<string>,
): Texts | undefined {
  const own = Object.entries(observed ?? {}).filter(([key]) => !managed.has(key));
  const all = { ...Object.fromEntries(own), ...desired };
  return Object.keys(all).length === 0 ? undefined : all;
}
