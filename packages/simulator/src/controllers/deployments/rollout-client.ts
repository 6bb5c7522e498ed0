/** What a rollout needs of the cluster. */

import type { ReplicaSet } from '../replica-sets/replica-set.ts';
import type { Deployment } from './deployment.ts';

export interface RolloutClient {
  createSet(set: ReplicaSet): Promise<ReplicaSet>;
  /** A ReplicaSet of that name that is there already. */
  existingSet(name: string): ReplicaSet | undefined;
  updateSet(set: ReplicaSet): Promise<ReplicaSet>;
  deleteSet(set: ReplicaSet): Promise<void>;
  /** Annotations are written, too. */
  updateStatus(deployment: Deployment): Promise<Deployment>;
  update(deployment: Deployment): Promise<void>;
  event(type: 'Normal' | 'Warning', reason: string, message: string): void;
  isAlreadyExists(error: unknown): boolean;
  isNamespaceTerminating(error: unknown): boolean;
}
