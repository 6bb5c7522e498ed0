/** What connectors and metrics are made from: the pods of one simulated cluster. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Clock } from './clock.ts';
import type { RunningPodSource } from './pods/container-state.ts';

export interface SimulatedPods {
  /** Of the cluster. */
  name: string;
  /** Of all that is made up. */
  seed?: number | undefined;
  clock?: Clock | undefined;
  /** Called for each request: the server that a connector is given to is opened before there is a client of it. */
  client(): KubeClient;
  /** What runs on the nodes, once they run. Without it the status of a pod is all that is known. */
  nodes?(): RunningPodSource | undefined;
  onError(error: unknown): void;
}
