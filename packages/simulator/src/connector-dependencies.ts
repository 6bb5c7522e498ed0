/** The dependencies of a simulated cluster's connector and metrics. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Clock } from './clock.ts';
import type { RunningPodSource } from './pods/observed-container.ts';

export interface ConnectorDependencies {
  /** The cluster's name. */
  name: string;
  /** Seeds logs and metrics. */
  seed?: number | undefined;
  clock?: Clock | undefined;
  /** Called for each request: the connector is created before the server has a client. */
  client(): KubeClient;
  /** The pods that run on the nodes, once they run. Without it, only the status of a pod is known. */
  nodes?(): RunningPodSource | undefined;
  onError(error: unknown): void;
}
