/**
 * Converts HorizontalPodAutoscalers between autoscaling/v1 and the stored autoscaling/v2: fields that the older version does
 * not have are in its annotations.
 */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { AutoscalerSpec, ScalingRules } from './autoscaler.ts';
import { type Metric, newerMetric, newerStatus, olderMetric, olderStatus } from './older-metrics.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const metricsKey = `${prefix}metrics`;
const currentMetricsKey = `${prefix}current-metrics`;
const conditionsKey = `${prefix}conditions`;
const behaviorKey = `${prefix}behavior`;

/** The annotations for fields that the older version does not have. */
export const olderAnnotations = [metricsKey, currentMetricsKey, conditionsKey, behaviorKey];

const defaultUtilization = 80;

interface Spec {
  metrics?: Metric[];
  behavior?: JsonObject;
  targetCPUUtilizationPercentage?: number;
  [field: string]: unknown;
}

interface Status {
  /** Null where Go has a nil slice. */
  currentMetrics?: Metric[] | null;
  conditions?: JsonObject[];
  currentCPUUtilizationPercentage?: number;
  currentReplicas?: number;
  [field: string]: unknown;
}

const isProcessor = ({ type, resource }: Metric): boolean => type === 'Resource' && resource?.['name'] === 'cpu';

const utilizationOf = (metric: Metric, where: 'target' | 'current'): number | undefined =>
  isProcessor(metric) ? (metric.resource?.[where] as { averageUtilization?: number })?.averageUtilization : undefined;

const processorMetric = (where: 'target' | 'current', averageUtilization: number): Metric => ({
  type: 'Resource',
  resource: {
    name: 'cpu',
    [where]: { ...(where === 'target' ? { type: 'Utilization' } : {}), averageUtilization },
  },
});

type Behavior = NonNullable<AutoscalerSpec['behavior']>;

/** With all of Go's field names, as an internal type is serialized. */
const writtenBehavior = ({ scaleUp, scaleDown }: Behavior) => ({
  ScaleUp: scaleUp ? writtenRules(scaleUp) : null,
  ScaleDown: scaleDown ? writtenRules(scaleDown) : null,
});

const writtenRules = ({ stabilizationWindowSeconds, selectPolicy, policies, tolerance }: ScalingRules) => ({
  StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
  SelectPolicy: selectPolicy ?? null,
  Policies:
    policies?.map(({ type = '', value = 0, periodSeconds = 0 }) => ({
      Type: type,
      Value: value,
      PeriodSeconds: periodSeconds,
    })) ?? null,
  Tolerance: tolerance ?? null,
});

/** Go ignores the case of names, which matters for annotations written by hand. Null means absent. */
const readFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(readFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (one === null ? [] : [[lower(name), readFields(one)]])),
  );
};
const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** An invalid annotation is ignored. */
function read<T>(annotations: Readonly<Record<string, string>>, key: string): T | undefined {
  const text = annotations[key];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

const present = (fields: JsonObject | Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Objects that are compared for managedFields may have no metadata. */
function withAnnotations({ metadata }: Partial<KubeObject>, added: Readonly<Record<string, unknown>>) {
  const { annotations = {}, ...rest } = metadata ?? {};
  const others = Object.entries(annotations).filter(([key]) => !key.startsWith(prefix));
  const own = Object.entries(added).flatMap(([key, value]) => (value ? [[key, JSON.stringify(value)]] : []));
  const all = Object.fromEntries([...others, ...own]);
  return { ...rest, ...(Object.keys(all).length > 0 ? { annotations: all } : {}) };
}

const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

export function older(object: KubeObject): KubeObject {
  const { metrics = [], behavior, ...spec } = (object['spec'] ?? {}) as Spec;
  const { currentMetrics: seen, conditions = [], ...status } = (object['status'] ?? {}) as Status;
  const currentMetrics = seen ?? [];
  const processor = metrics.map((metric) => utilizationOf(metric, 'target')).find((one) => one !== undefined);
  const current = currentMetrics.map((metric) => utilizationOf(metric, 'current')).findLast((one) => one !== undefined);
  const others = metrics.filter((metric) => utilizationOf(metric, 'target') === undefined);
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(object, {
      [metricsKey]: some(others.map(olderMetric)),
      [currentMetricsKey]: some(currentMetrics.map(olderStatus)),
      [behaviorKey]: behavior && writtenBehavior(behavior as Behavior),
      [conditionsKey]: some(conditions),
    }),
    spec: present({ ...spec, targetCPUUtilizationPercentage: processor }),
    // The older version writes zero replicas, the newer one omits them.
    ...(object['status']
      ? { status: present({ currentReplicas: 0, ...status, currentCPUUtilizationPercentage: current }) }
      : {}),
  };
}

export function newer(object: KubeObject): KubeObject {
  const { annotations = {} } = (object as Partial<KubeObject>).metadata ?? {};
  const { targetCPUUtilizationPercentage: utilization, ...spec } = (object['spec'] ?? {}) as Spec;
  const {
    currentCPUUtilizationPercentage: seen,
    currentReplicas: replicas,
    ...status
  } = (object['status'] ?? {}) as Status;
  const others = (read<Metric[]>(annotations, metricsKey) ?? []).map(newerMetric);
  const behavior = read<JsonObject>(annotations, behaviorKey);
  const all = [...others, ...(utilization === undefined ? [] : [processorMetric('target', utilization)])];
  const metrics = all.length > 0 ? all : [processorMetric('target', defaultUtilization)];
  const annotated = read<Metric[]>(annotations, currentMetricsKey)?.map(newerStatus);
  const currentMetrics = annotated ?? (seen === undefined ? null : [processorMetric('current', seen)]);
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(object, {}),
    spec: present({ ...spec, metrics, behavior: behavior && readFields(behavior) }),
    ...(object['status']
      ? {
          status: present({
            ...status,
            currentReplicas: replicas || undefined,
            currentMetrics,
            conditions: read(annotations, conditionsKey),
          }),
        }
      : {}),
  };
}
