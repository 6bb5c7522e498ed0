/** What may change in a Job: little, unless it is suspended and has no pods. */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import type { PodSpec, PodTemplate } from '../pods/pod-spec.ts';
import { immutableErrors, isSame } from '../rules/equality.ts';
import { hasCondition, isIndexed, type Job, type JobSpec } from './job.ts';
import { jobSpecErrors } from './rules.ts';

export function jobUpdateErrors(spec: JobSpec, old: Job): FieldError[] {
  const fixed = (
    field: 'selector' | 'completionMode' | 'podFailurePolicy' | 'backoffLimitPerIndex' | 'managedBy' | 'successPolicy',
  ) => immutableErrors(spec[field], old.spec[field], `spec.${field}`);
  return [
    ...jobSpecErrors(spec, 'spec'),
    ...completionErrors(spec, old.spec),
    ...fixed('selector'),
    ...templateErrors(spec.template, old),
    ...fixed('completionMode'),
    ...fixed('podFailurePolicy'),
    ...fixed('backoffLimitPerIndex'),
    ...fixed('managedBy'),
    ...fixed('successPolicy'),
  ];
}

/** An indexed Job grows and shrinks with its parallelism. */
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

/** Suspended, never started or suspended again, and without pods. */
function isOpen(job: Job): boolean {
  const { startTime, active = 0 } = job.status;
  return job.spec.suspend === true && (startTime === undefined || hasCondition(job, 'Suspended')) && active === 0;
}

const freeFields = ['nodeSelector', 'tolerations', 'schedulingGates'];

/** The old spec, with what tells where pods run as it is now. */
function withScheduling(spec: PodSpec, old: PodSpec): PodSpec {
  const affinity = affinityOf(spec['affinity'] as Affinity | undefined, old['affinity'] as Affinity | undefined);
  const free = Object.fromEntries(freeFields.map((field) => [field, spec[field]]));
  return { ...old, ...free, affinity };
}

type Affinity = Record<string, unknown>;

/** That to nodes may change, that to pods may not. */
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
