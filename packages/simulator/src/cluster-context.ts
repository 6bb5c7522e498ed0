/** What the controllers, the scheduler and the nodes of one simulated cluster share. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Delays } from './delays.ts';

export interface ClusterContext {
  /** Of the cluster. */
  name: string;
  /** Kubernetes version that nodes report, as in `v1.36.3`. */
  version: string;
  /** May do everything. */
  client: KubeClient;
  delays: Delays;
  /** Aborted when the cluster stops. */
  signal: AbortSignal;
  onError(error: unknown): void;
}
