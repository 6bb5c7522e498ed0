/** Defaults of Jobs (Kubernetes' `batch/v1/defaults.go`). */

import type { ObjectMeta } from '../../registry/kube-object.ts';
import { defaultPodTemplate } from '../pods/pod-spec-defaults.ts';
import type { Job, JobSpec } from './job.ts';

const backoffs = 6;
const largest = 2 ** 31 - 1;

export function defaultJob({ metadata, spec }: Job & { metadata: ObjectMeta }): void {
  defaultJobTemplate(spec);
  if (spec.parallelism === undefined) spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? backoffs : largest;
  // The same map, as in Go: labels that are added to one of them later are in both.
  const { labels } = spec.template.metadata ?? {};
  if (labels && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
}

/** All defaults of the Job template in a CronJob. */
export function defaultJobTemplate(spec: JobSpec): void {
  defaultPodTemplate(spec.template);
  for (const { onPodConditions } of spec.podFailurePolicy?.rules ?? [])
    for (const pattern of onPodConditions ?? []) pattern.status ||= 'True';
}
