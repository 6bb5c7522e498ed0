/** The cluster as a rollout accesses it. */

import type { ReplicaSet } from '../replica-sets/replica-set.ts';
import type { Deployment } from './deployment.ts';

export interface RolloutClient {
  createSet(set: ReplicaSet): Promise<ReplicaSet>;
  /** An existing ReplicaSet of that name. */
  existingSet(name: string): ReplicaSet | undefined;
  updateSet(set: ReplicaSet): Promise<ReplicaSet>;
  deleteSet(set: ReplicaSet): Promise<void>;
  /** Also writes annotations. */
  updateStatus(deployment: Deployment): Promise<Deployment>;
  update(deployment: Deployment): Promise<void>;
  event(type: 'Normal' | 'Warning', reason: string, message: string): void;
  isAlreadyExists(error: unknown): boolean;
  isNamespaceTerminating(error: unknown): boolean;
}
