/** What the connector and the metrics of a simulated cluster need. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Clock } from './clock.ts';
import type { RunningPodSource } from './pods/observed-container.ts';

export interface ConnectorDependencies {
  /** The cluster's name. */
  name: string;
  /** Seeds logs and metrics. */
  seed?: number | undefined;
  clock?: Clock | undefined;
  /** Called for each request: the server that a connector is given to is opened before there is a client of it. */
  client(): KubeClient;
  /** What runs on the nodes, once they run. Without it the status of a pod is all that is known. */
  nodes?(): RunningPodSource | undefined;
  onError(error: unknown): void;
}
