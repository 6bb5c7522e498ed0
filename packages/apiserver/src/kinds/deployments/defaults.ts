/** Defaults of Deployments (Kubernetes' `apps/v1/defaults.go`). */

import { defaultPodTemplate } from '../pods/pod-spec-defaults.ts';
import type { Deployment } from './deployment.ts';

const historyLimit = 10;
const deadlineSeconds = 600;
const rollingShare = '25%';

export function defaultDeployment({ spec }: Deployment): void {
  defaultPodTemplate(spec.template);
  spec.replicas ??= 1;
  spec.strategy.type ||= 'RollingUpdate';
  if (spec.strategy.type === 'RollingUpdate') {
    spec.strategy.rollingUpdate ??= {};
    spec.strategy.rollingUpdate.maxUnavailable ??= rollingShare;
    spec.strategy.rollingUpdate.maxSurge ??= rollingShare;
  }
  spec.revisionHistoryLimit ??= historyLimit;
  spec.progressDeadlineSeconds ??= deadlineSeconds;
}
