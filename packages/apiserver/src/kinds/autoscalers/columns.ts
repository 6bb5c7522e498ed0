/** The Table columns of HorizontalPodAutoscalers: their metrics, current and desired. */

import { type CellsOf, none, someOf, unknown, unset } from '../printing/cells.ts';
import type { Autoscaler, Metric, Source } from './autoscaler.ts';

/** Go's format of an absent quantity. */
const nil = '<nil>';
const nothing: Source = { target: {} };

const measured = (source: Source | undefined, field: 'value' | 'averageValue'): string =>
  source ? (source.current?.[field] ?? nil) : unknown;

function ofWhole({ target }: Source, status: Source | undefined): string {
  if (target.averageValue === undefined) return `${measured(status, 'value')}/${target.value ?? nil}`;
  return `${status?.current?.averageValue ?? unknown}/${target.averageValue} (avg)`;
}

function ofResource({ name = '', target }: Source, status: Source | undefined): string {
  if (target.averageValue !== undefined) return `${name}: ${measured(status, 'averageValue')}/${target.averageValue}`;
  const percent = (share: number | undefined, otherwise: string) => (share === undefined ? otherwise : `${share}%`);
  const current = percent(status?.current?.averageUtilization, unknown);
  return `${name}: ${current}/${percent(target.averageUtilization, '<auto>')}`;
}

function metricText(metric: Metric, status: Metric = {}): string {
  switch (metric.type) {
    case 'External':
      return ofWhole(metric.external ?? nothing, status.external);
    case 'Object':
      return ofWhole(metric.object ?? nothing, status.object);
    case 'Pods':
      return `${measured(status.pods, 'averageValue')}/${metric.pods?.target?.averageValue ?? nil}`;
    case 'Resource':
      return ofResource(metric.resource ?? nothing, status.resource);
    case 'ContainerResource':
      return ofResource(metric.containerResource ?? nothing, status.containerResource);
    default:
      return '<unknown type>';
  }
}

export const autoscalerCells: CellsOf<Partial<Autoscaler>> = {
  Reference: ({ spec }) => `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
  Targets: ({ spec, status }) => {
    const texts = (spec?.metrics ?? []).map((metric, index) => metricText(metric, status?.currentMetrics?.[index]));
    return someOf(texts, 2, ', ') || none;
  },
  MinPods: ({ spec }) => (spec?.minReplicas === undefined ? unset : String(spec.minReplicas)),
  MaxPods: ({ spec }) => spec?.maxReplicas ?? 0,
  Replicas: ({ status }) => status?.currentReplicas ?? 0,
};
