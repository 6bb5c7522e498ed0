/** Counters in statuses: what a workload's controller reports in each member, and their sums (FED-12). */

import type { AggregatedStatusItem } from '../../api/bindings.ts';
import type { AnyObject, JsonObject } from '../../api/objects.ts';
import { templateGenerationAnnotation } from '../../work/marks.ts';
import { numberAt, withoutFields } from './fields.ts';
import { reportedStatuses, statusOf, withStatus } from './status.ts';

export interface Counters {
  summed: readonly string[];
  /** Those of them that Kubernetes writes even where they are 0. */
  always: readonly string[];
}

/** Without the zeros that Kubernetes does not write. */
export const written = (values: Record<string, number>, { always }: Pick<Counters, 'always'>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== 0 || always.includes(name)));

export const countersOf = (status: unknown, { summed }: Pick<Counters, 'summed'>): Record<string, number> =>
  Object.fromEntries(summed.map((name) => [name, numberAt(status, name) ?? 0]));

export function sumsOf(
  items: readonly AggregatedStatusItem[],
  { summed }: Pick<Counters, 'summed'>,
): Record<string, number> {
  const statuses = reportedStatuses(items);
  const sum = (name: string) => statuses.reduce((total, status) => total + (numberAt(status, name) ?? 0), 0);
  return Object.fromEntries(summed.map((name) => [name, sum(name)]));
}

/** The counters, and which generations they are of: the object's, and the template's that it was made from. */
export function reflectWorkload(observed: AnyObject, counters: Counters): JsonObject | undefined {
  const status = statusOf(observed);
  if (!status) return undefined;
  const values = {
    generation: observed.metadata.generation ?? 0,
    resourceTemplateGeneration: templateGenerationOf(observed),
    observedGeneration: numberAt(status, 'observedGeneration') ?? 0,
    ...countersOf(status, counters),
  };
  const reflected = written(values, counters);
  return Object.keys(reflected).length === 0 ? undefined : reflected;
}

function templateGenerationOf({ kind, metadata }: AnyObject): number {
  const text = metadata.annotations?.[templateGenerationAnnotation] ?? '';
  if (!/^[+-]?\d+$/.test(text))
    throw new Error(
      `annotation ${templateGenerationAnnotation} of ${kind} ${metadata.name} is not a number: "${text}"`,
    );
  return Number(text);
}

/** The template's other fields of status stay. Its generation counts as observed once every cluster has seen it. */
export function aggregateWorkload(
  template: AnyObject,
  items: readonly AggregatedStatusItem[],
  counters: Counters,
): AnyObject {
  const { generation = 0 } = template.metadata;
  const old = statusOf(template) ?? {};
  const seen = reportedStatuses(items).filter((status) => hasSeen(status, generation));
  const observedGeneration = seen.length === items.length ? generation : (numberAt(old, 'observedGeneration') ?? 0);
  const others = withoutFields(old, ['observedGeneration'], ...counters.summed.map((name) => [name] as const));
  return withStatus(template, {
    ...others,
    ...written({ observedGeneration, ...sumsOf(items, counters) }, counters),
  });
}

/** The member's controller has seen the object, and the object is made from the template as it is now. */
const hasSeen = (status: JsonObject, generation: number): boolean =>
  (numberAt(status, 'observedGeneration') ?? 0) >= (numberAt(status, 'generation') ?? 0) &&
  (numberAt(status, 'resourceTemplateGeneration') ?? 0) >= generation;
