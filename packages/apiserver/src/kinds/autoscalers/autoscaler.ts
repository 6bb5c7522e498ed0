/** The fields of a HorizontalPodAutoscaler that defaults, validation and conversion use. */

import type { SelectorObject } from '../../selectors/selector-object.ts';

export interface Reference {
  kind?: string;
  name?: string;
  apiVersion?: string;
}

export interface Target {
  type?: string;
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}

export interface Source {
  name?: string;
  container?: string;
  metric?: { name?: string; selector?: SelectorObject };
  describedObject?: Reference;
  target: Target;
  current?: Target;
}

export const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;

export type SourceName = (typeof sources)[number];

export type Metric = { type?: string } & { [Name in SourceName]?: Source };

export interface ScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: { type?: string; value?: number; periodSeconds?: number }[];
  tolerance?: string;
}

export interface AutoscalerSpec {
  scaleTargetRef: Reference;
  minReplicas?: number;
  maxReplicas?: number;
  metrics?: Metric[];
  behavior?: { scaleUp?: ScalingRules; scaleDown?: ScalingRules };
}

/** The type of autoscaling/v2. */
export interface Autoscaler {
  spec: AutoscalerSpec;
  status: { currentReplicas?: number; currentMetrics?: Metric[] | null };
}
