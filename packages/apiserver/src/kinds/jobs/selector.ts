/** A Job selects its pods by its own uid, unless who makes it takes that on. */

import { type FieldError, invalidValue, required } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { selectsByObject } from '../../selectors/selector-object.ts';
import { isSelector } from '../workloads/selector-rules.ts';
import type { Job, JobSpec } from './job.ts';

const prefix = 'batch.kubernetes.io/';
const uidLabel = `${prefix}controller-uid`;
const nameLabel = `${prefix}job-name`;

/** With and without the prefix, which came later. */
function labelsOf({ metadata: { uid = '', name = '' } }: KubeObject): Record<string, string> {
  return { 'controller-uid': uid, 'job-name': name, [uidLabel]: uid, [nameLabel]: name };
}

/** What is there already stays, and is refused later if it is not the same. */
export function generateSelector(object: KubeObject & Job): void {
  const { spec } = object;
  if (spec.manualSelector) return;
  spec.template.metadata ??= {};
  const { 'controller-uid': uid, 'job-name': name } = labelsOf(object) as {
    'controller-uid': string;
    'job-name': string;
  };
  const added = { 'job-name': name, [nameLabel]: name, 'controller-uid': uid, [uidLabel]: uid };
  spec.template.metadata.labels = { ...added, ...spec.template.metadata.labels };
  spec.selector = { ...spec.selector, matchLabels: { [uidLabel]: uid, ...spec.selector?.matchLabels } };
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
      return given === value ? [] : [invalidValue(at, labels, `must be '${value}'`)];
    }),
    ...(isSelector(selector) && !selectsByObject(selector, expected)
      ? [invalidValue('spec.selector', selector, '`selector` not auto-generated')]
      : []),
  ];
}
