/** Starts the controllers of kube-controller-manager for a simulated cluster, on shared informers. */

import { KubeClient } from '@fleet/client/kube-client.ts';
import { SharedInformers } from '@fleet/client/shared-informers.ts';
import type { ClusterContext } from '../cluster-context.ts';
import { startCronJobs } from './cron-jobs/cron-job-controller.ts';
import { startDaemonSets } from './daemon-sets/daemon-set-controller.ts';
import { startDeployments } from './deployments/deployment-controller.ts';
import { startDisruption } from './disruption/disruption-controller.ts';
import { startEndpointSlices } from './endpoints/endpoint-slice-controller.ts';
import { startEndpoints } from './endpoints/endpoints-controller.ts';
import { startExpiredJobs } from './jobs/expired-jobs.ts';
import { startJobs } from './jobs/job-controller.ts';
import { startReleasedPods } from './jobs/released-pods.ts';
import { startQuotas } from './quotas/quota-controller.ts';
import { replicaSets, replicationControllers } from './replica-sets/replica-set.ts';
import { startReplicaSets } from './replica-sets/replica-set-controller.ts';
import type { ControllerParts } from './shared/reconciler.ts';
import { scaledTime } from './shared/scaled-time.ts';
import { startStatefulSets } from './stateful-sets/stateful-set-controller.ts';
import { startAttributesClassProtection } from './storage-protection/attributes-class-protection.ts';
import { startClaimProtection } from './storage-protection/claim-protection.ts';
import { startVolumeProtection } from './storage-protection/volume-protection.ts';

export function startControllers(context: ClusterContext): AsyncDisposable {
  const { signal, onError } = context;
  // The name in managed fields.
  const client = new KubeClient(context.client.upstream, 'kube-controller-manager');
  const ending = new AbortController();
  const own = context.informers ? undefined : new SharedInformers({ client, onError });
  const informers = context.informers ?? own!;
  const ready = Promise.withResolvers<void>();
  const parts: ControllerParts = {
    client,
    informers,
    clock: scaledTime(context.delays),
    ready: ready.promise,
    signal: AbortSignal.any([signal, ending.signal]),
    onError,
  };
  const controllers = [
    startDeployments(parts),
    startReplicaSets(parts, replicaSets),
    startReplicaSets(parts, replicationControllers),
    startStatefulSets(parts),
    startDaemonSets(parts),
    startJobs(parts),
    startReleasedPods(parts),
    startExpiredJobs(parts),
    startEndpointSlices(parts),
    startEndpoints(parts),
    startCronJobs(parts),
    startDisruption(parts),
    startQuotas(parts),
    startClaimProtection(parts),
    startVolumeProtection(parts),
    startAttributesClassProtection(parts),
  ];
  // A cluster may stop before its informers are synced: reconcilers that wait for them are released.
  parts.signal.addEventListener('abort', () => ready.resolve(), { once: true });
  void informers.synced().then(ready.resolve);
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all(controllers.map((controller) => controller[Symbol.asyncDispose]()));
      await own?.[Symbol.asyncDispose]();
    },
  };
}
