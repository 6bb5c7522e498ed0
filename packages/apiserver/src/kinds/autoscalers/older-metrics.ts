/** Converts metrics between autoscaling/v2 and the annotation of autoscaling/v1. */

import type { JsonObject } from '@fleet/kube/json-value.ts';

type Source = JsonObject | undefined;

export interface Metric {
  type: string;
  object?: Source;
  pods?: Source;
  resource?: Source;
  containerResource?: Source;
  external?: Source;
}

type SourceName = Exclude<keyof Metric, 'type'>;

/** The fields of each source in the older version, each with its path in the newer one. */
type Fields = Readonly<Record<string, readonly [string, string?]>>;

const named = { metricName: ['metric', 'name'], selector: ['metric', 'selector'] } as const;
const resource = (where: 'target' | 'current'): Fields => ({
  name: ['name'],
  [`${where}AverageUtilization`]: [where, 'averageUtilization'],
  [`${where}AverageValue`]: [where, 'averageValue'],
});

const fieldsOf = (where: 'target' | 'current'): Readonly<Record<SourceName, Fields>> => ({
  object: {
    ...named,
    target: ['describedObject'],
    [`${where}Value`]: [where, 'value'],
    averageValue: [where, 'averageValue'],
  },
  pods: { ...named, [`${where}AverageValue`]: [where, 'averageValue'] },
  resource: resource(where),
  containerResource: { ...resource(where), container: ['container'] },
  external: {
    metricName: ['metric', 'name'],
    metricSelector: ['metric', 'selector'],
    [`${where}Value`]: [where, 'value'],
    [`${where}AverageValue`]: [where, 'averageValue'],
  },
});

const sources = ['object', 'pods', 'resource', 'containerResource', 'external'] as const;

const mapped = (metric: Metric, change: (source: JsonObject, name: SourceName) => JsonObject): Metric => ({
  ...metric,
  ...Object.fromEntries(sources.flatMap((name) => (metric[name] ? [[name, change(metric[name], name)]] : []))),
});

const toOlder = (where: 'target' | 'current') => (metric: Metric) =>
  mapped(metric, (source, name) => {
    const found = Object.entries(fieldsOf(where)[name]).flatMap(([field, [outer, inner]]) => {
      const value = inner === undefined ? source[outer] : (source[outer] as JsonObject | undefined)?.[inner];
      const written = value ?? (isAlways(name, field) ? '0' : undefined);
      return written === undefined ? [] : [[field, written] as const];
    });
    return Object.fromEntries(found);
  });

/** Quantities that the older version always has. */
const isAlways = (name: SourceName, field: string): boolean =>
  field === (name === 'object' || name === 'external' ? 'currentValue' : 'currentAverageValue');

const toNewer = (where: 'target' | 'current') => (metric: Metric) =>
  mapped(metric, (source, name) => {
    const made: JsonObject = {};
    for (const [field, [outer, inner]] of Object.entries(fieldsOf(where)[name])) {
      const value = source[field];
      if (value === undefined) continue;
      if (inner === undefined) made[outer] = value;
      else made[outer] = { ...(made[outer] as JsonObject | undefined), [inner]: value };
    }
    return where === 'target' ? { ...made, target: typed(made['target'] as JsonObject | undefined) } : made;
  });

/** The newer version has a type that selects the value. */
function typed(target: JsonObject = {}): JsonObject {
  const { averageUtilization, averageValue } = target;
  if (averageUtilization !== undefined) return { type: 'Utilization', ...target };
  return { type: averageValue === undefined ? 'Value' : 'AverageValue', ...target };
}

export const olderMetric = toOlder('target');
export const newerMetric = toNewer('target');
export const olderStatus = toOlder('current');
export const newerStatus = toNewer('current');
