/** What the controllers, the scheduler and the nodes of one simulated cluster share. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { SharedInformers } from '@fleet/client/shared-informers.ts';
import type { Delays } from './delays.ts';

export interface ClusterContext {
  /** The cluster's name. */
  name: string;
  /** Kubernetes version that nodes report, as in `v1.36.3`. */
  version: string;
  /** With an administrator's permissions. */
  client: KubeClient;
  /** Shared by the whole cluster and disposed of by their owner. Without them each part creates its own. */
  informers?: SharedInformers | undefined;
  delays: Delays;
  /** Aborted when the cluster stops. */
  signal: AbortSignal;
  onError(error: unknown): void;
}
