/** Generates a Job's selector from its own uid, unless `manualSelector` is set. */

import { type FieldError, invalidValue, required } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { selectsByObject } from '../../selectors/selector-object.ts';
import { shownSelector, sortedMap } from '../rules/shown-values.ts';
import { isSelector } from '../workloads/selector-rules.ts';
import type { Job, JobSpec } from './job.ts';

const prefix = 'batch.kubernetes.io/';
const uidLabel = `${prefix}controller-uid`;
const nameLabel = `${prefix}job-name`;

/** With and without the prefix, which was introduced later. */
const labelsOf = ({ metadata: { uid = '', name = '' } }: KubeObject): Record<string, string> => ({
  'controller-uid': uid,
  'job-name': name,
  [uidLabel]: uid,
  [nameLabel]: name,
});

/** Existing labels are kept, and refused later if they differ. */
export function generateSelector(object: KubeObject & Job, given: KubeObject & Job): void {
  const { metadata, spec } = object;
  if (spec.manualSelector) return;
  const labels = { ...labelsOf(object), ...spec.template.metadata?.labels };
  spec.template.metadata = { ...spec.template.metadata, labels };
  const own = given.metadata.labels;
  if (own && own === given.spec.template.metadata?.labels) metadata.labels = { ...labels };
  const matchLabels = { [uidLabel]: labelsOf(object)[uidLabel]!, ...spec.selector?.matchLabels };
  spec.selector = { ...spec.selector, matchLabels };
}

/** Jobs of older versions have no labels with the prefix. */
export function hasPrefixedLabels({ template }: JobSpec): boolean {
  const labels = template.metadata?.labels ?? {};
  return labels[nameLabel] !== undefined && labels[uidLabel] !== undefined;
}

export function generatedSelectorErrors(object: KubeObject & Job, isPrefixed: boolean): FieldError[] {
  const { manualSelector, selector, template } = object.spec;
  if (manualSelector || !selector) return [];
  const expected = Object.fromEntries(
    Object.entries(labelsOf(object)).filter(([label]) => isPrefixed || !label.startsWith(prefix)),
  );
  const labels = template.metadata?.labels;
  return [
    ...Object.entries(expected).flatMap(([label, value]) => {
      const at = `spec.template.metadata.labels[${label}]`;
      const given = labels?.[label];
      if (given === undefined) return [required(at, `must be '${value}'`)];
      return given === value ? [] : [invalidValue(at, sortedMap(labels), `must be '${value}'`)];
    }),
    ...(isSelector(selector) && !selectsByObject(selector, expected)
      ? [invalidValue('spec.selector', shownSelector(selector), '`selector` not auto-generated')]
      : []),
  ];
}
