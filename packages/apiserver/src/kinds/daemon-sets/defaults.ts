/** Defaults of DaemonSets (Kubernetes' `apps/v1/defaults.go`). */

import { defaultPodTemplate } from '../pods/pod-spec-defaults.ts';
import type { DaemonSet } from './daemon-set.ts';

const historyLimit = 10;

export function defaultDaemonSet({ spec }: DaemonSet): void {
  defaultPodTemplate(spec.template);
  spec.updateStrategy.type ||= 'RollingUpdate';
  if (spec.updateStrategy.type === 'RollingUpdate') {
    spec.updateStrategy.rollingUpdate ??= {};
    spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
    spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= historyLimit;
}
