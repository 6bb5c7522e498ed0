/** kubectl's annotation of a client-side apply: fields that it set may be taken over by a server-side apply. */

import { fieldOf, isObject, type JsonObject, type JsonValue, parseJson, setField } from '@fleet/kube/json-value.ts';
import type { FieldSet } from '../fields/field-set.ts';
import { goJson } from '../go-text.ts';
import { compare } from '../typed/compare.ts';
import { fieldsOf } from '../typed/fields-of.ts';
import { validationErrors } from '../typed/validation.ts';
import { metadataOf, withManagedFields } from './managed.ts';
import type { Versions } from './merging.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const mostAnnotationBytes = 256 * 1024;

const annotationsOf = (object: JsonObject): JsonObject | undefined => {
  const annotations = fieldOf(metadataOf(object), 'annotations');
  return isObject(annotations) ? annotations : undefined;
};

const lastAppliedOf = (object: JsonObject): string => {
  const text = fieldOf(annotationsOf(object) ?? {}, annotation);
  return typeof text === 'string' ? text : '';
};

/** Fields with the value that kubectl applied; undefined without a usable annotation. */
export function allowedConflicts(
  live: JsonObject,
  { apiVersion, typeOf }: Versions & { apiVersion: string },
): FieldSet | undefined {
  const applied = parsed(lastAppliedOf(live));
  const type = typeOf(apiVersion);
  if (!type || !isObject(applied) || fieldOf(applied, 'apiVersion') !== apiVersion) return undefined;
  if ([live, applied].some((object) => validationErrors(object, type, false).length > 0)) return undefined;
  const { added, modified, removed } = compare(applied, live, type);
  return fieldsOf(applied, type).difference(modified).difference(added).difference(removed);
}

function parsed(text: string): JsonValue {
  try {
    return text ? parseJson(text) : null;
  } catch {
    // An invalid annotation is ignored.
    return null;
  }
}

/** Updates the annotation for later client-side applies; an object without it gets none. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  if (!lastAppliedOf(object)) return object;
  const annotations: JsonObject = { ...annotationsOf(object) };
  setField(annotations, annotation, `${goJson(withoutRecord(config))}\n`);
  if (bytesOf(annotations) > mostAnnotationBytes) delete annotations[annotation];
  return { ...object, metadata: { ...metadataOf(object), annotations } };
}

function withoutRecord(config: JsonObject): JsonObject {
  const annotations = annotationsOf(config);
  if (!annotations) return config;
  const { [annotation]: _, ...others } = annotations;
  return { ...withManagedFields(config, []), metadata: { ...metadataOf(config), annotations: others } };
}

const bytesOf = (annotations: JsonObject): number =>
  Object.entries(annotations).reduce((sum, [key, value]) => sum + Buffer.byteLength(`${key}${value}`), 0);
