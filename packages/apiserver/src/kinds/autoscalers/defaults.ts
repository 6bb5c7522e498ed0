/** Defaults of HorizontalPodAutoscalers of autoscaling/v2 (Kubernetes' `autoscaling/v2/defaults.go`). */

import type { Autoscaler, ScalingRules } from './autoscaler.ts';

const defaultUtilization = 80;
const periodSeconds = 15;

const scaleUp = (): ScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds },
    { type: 'Percent', value: 100, periodSeconds },
  ],
});

/** The stabilization window has no default here, as it is an option of the controller. */
const scaleDown = (): ScalingRules => ({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds }],
});

export function defaultAutoscaler({ spec }: Autoscaler): void {
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) {
    const target = { type: 'Utilization', averageUtilization: defaultUtilization };
    spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  }
  if (!spec.behavior) return;
  spec.behavior.scaleUp = { ...scaleUp(), ...spec.behavior.scaleUp };
  spec.behavior.scaleDown = { ...scaleDown(), ...spec.behavior.scaleDown };
}
