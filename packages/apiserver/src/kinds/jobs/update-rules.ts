/** Validates updates of a Job: little may change, unless it is suspended and has no pods. */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import type { PodSpec, PodTemplate } from '../pods/pod-spec.ts';
import { immutableErrors, isSame } from '../rules/equality.ts';
import { immutableSelectorErrors } from '../workloads/selector-rules.ts';
import { hasCondition, isIndexed, type Job, type JobSpec } from './job.ts';
import { jobSpecErrors } from './rules.ts';
import { shownFailurePolicy, shownSuccessPolicy } from './shown-policies.ts';

export function jobUpdateErrors(spec: JobSpec, old: Job): FieldError[] {
  const fixed = (field: 'completionMode' | 'backoffLimitPerIndex' | 'managedBy') =>
    immutableErrors(spec[field], old.spec[field], `spec.${field}`);
  return [
    ...jobSpecErrors(spec, 'spec'),
    ...completionErrors(spec, old.spec),
    ...immutableSelectorErrors(spec.selector, old.spec.selector),
    ...templateErrors(spec.template, old),
    ...fixed('completionMode'),
    ...immutableErrors(shownFailurePolicy(spec), shownFailurePolicy(old.spec), 'spec.podFailurePolicy'),
    ...fixed('backoffLimitPerIndex'),
    ...fixed('managedBy'),
    ...immutableErrors(shownSuccessPolicy(spec), shownSuccessPolicy(old.spec), 'spec.successPolicy'),
  ];
}

/** An Indexed Job can be scaled together with its parallelism. */
function completionErrors(spec: JobSpec, old: JobSpec): FieldError[] {
  const at = 'spec.completions';
  const { completions, parallelism } = spec;
  if (!isIndexed(spec)) return immutableErrors(completions, old.completions, at);
  return isSame(completions, old.completions) || completions === undefined || completions === parallelism
    ? []
    : [invalidValue(at, completions, 'can only be modified in tandem with spec.parallelism')];
}

function templateErrors(template: PodTemplate, old: Job): FieldError[] {
  if (!isOpen(old)) return immutableErrors(template, old.spec.template, 'spec.template');
  const spec = template.spec ?? {};
  const allowed = withResources(spec, withScheduling(spec, old.spec.template.spec ?? {}));
  return immutableErrors(spec, allowed, 'spec.template.spec');
}

/** Suspended, and either never started, or without pods. */
function isOpen(job: Job): boolean {
  const { startTime, active = 0 } = job.status;
  return job.spec.suspend === true && (startTime === undefined || hasCondition(job, 'Suspended')) && active === 0;
}

const freeFields = ['nodeSelector', 'tolerations', 'schedulingGates'];

/** The old spec with the new scheduling directives. */
function withScheduling(spec: PodSpec, old: PodSpec): PodSpec {
  const affinity = affinityOf(spec['affinity'] as Affinity | undefined, old['affinity'] as Affinity | undefined);
  const free = Object.fromEntries(freeFields.map((field) => [field, spec[field]]));
  return { ...old, ...free, affinity };
}

type Affinity = Record<string, unknown>;

/** Node affinity may change, pod affinity may not. */
function affinityOf(affinity: Affinity | undefined, old: Affinity | undefined): Affinity | undefined {
  if (affinity) return { ...old, nodeAffinity: affinity['nodeAffinity'] };
  const { nodeAffinity: _, ...rest } = old ?? {};
  return Object.keys(rest).length > 0 ? rest : undefined;
}

function withResources(spec: PodSpec, old: PodSpec): PodSpec {
  const lists = (['containers', 'initContainers'] as const).map((field) => {
    const [now, before] = [spec[field] ?? [], old[field] ?? []];
    if (now.length !== before.length) return [field, old[field]];
    const made = before.map((container, index) =>
      container.name === now[index]!.name ? { ...container, resources: now[index]!.resources } : container,
    );
    return [field, made];
  });
  return { ...old, ...Object.fromEntries(lists) };
}
