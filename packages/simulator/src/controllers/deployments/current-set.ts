/** Finds or creates the ReplicaSet of a Deployment's template, and updates its annotations and revision. */

import { isDeepStrictEqual } from 'node:util';
import { type ReplicaSet, replicasOf } from '../replica-sets/replica-set.ts';
import { conditionOf, withCondition } from '../shared/conditions.ts';
import { controllerOf } from '../shared/controller-ref.ts';
import { isSameTemplate } from '../shared/pod-template.ts';
import { hasProgressDeadline } from './deployment.ts';
import { condition } from './deployment-status.ts';
import { newReplicaSet } from './new-replica-set.ts';
import { maxRevision, newSetAnnotations, revisionAnnotation } from './revisions.ts';
import type { RolloutState } from './rollout-state.ts';

/** Undefined if there is none. */
export async function updatedSet(state: RolloutState): Promise<ReplicaSet | undefined> {
  const { deployment, current: existing } = state;
  if (!existing) return undefined;
  const annotations = newSetAnnotations(deployment, existing, nextRevision(state));
  const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
  const isSame =
    isDeepStrictEqual(annotations, existing.metadata.annotations) &&
    (existing.spec.minReadySeconds ?? 0) === minReadySeconds;
  if (!isSame) {
    const { minReadySeconds: _, ...spec } = existing.spec;
    const updated = await state.client.updateSet({
      ...existing,
      metadata: { ...existing.metadata, annotations },
      spec: minReadySeconds ? { ...spec, minReadySeconds } : spec,
    });
    state.replace(updated);
    return updated;
  }
  const progressing = conditionOf(deployment.status?.conditions, 'Progressing');
  const message = `Found new replica set "${existing.metadata.name}"`;
  await noteRevision(
    state,
    annotations[revisionAnnotation] ?? '',
    progressing ? undefined : { reason: 'FoundNewReplicaSet', message },
  );
  return existing;
}

/** Creates it if there is none. */
export const ensuredSet = async (state: RolloutState): Promise<ReplicaSet> =>
  (await updatedSet(state)) ?? createSet(state);

const nextRevision = ({ old }: RolloutState): bigint => maxRevision(old) + 1n;

async function noteRevision(
  state: RolloutState,
  revision: string,
  progress: { reason: string; message: string } | undefined,
): Promise<void> {
  const { metadata, status } = state.deployment;
  const isProgress = progress !== undefined && hasProgressDeadline(state.deployment);
  if (metadata.annotations?.[revisionAnnotation] === revision && !isProgress) return;
  const next = isProgress && condition(state.clock, 'Progressing', 'True', progress.reason, progress.message);
  await state.update(next ? { conditions: withCondition(status?.conditions, next) } : {}, {
    ...metadata.annotations,
    [revisionAnnotation]: revision,
  });
}

async function createSet(state: RolloutState): Promise<ReplicaSet> {
  const { client, deployment } = state;
  const revision = nextRevision(state);
  const set = newReplicaSet(deployment, state.sets, revision);
  let created: ReplicaSet;
  let isNew = true;
  try {
    created = await client.createSet(set);
  } catch (error) {
    if (client.isNamespaceTerminating(error)) throw error;
    if (!client.isAlreadyExists(error)) {
      await noteFailure(state, set, error);
      throw error;
    }
    const existing = client.existingSet(set.metadata.name);
    const isOwn =
      existing &&
      controllerOf(existing)?.uid === deployment.metadata.uid &&
      isSameTemplate(existing.spec.template, deployment.spec.template);
    if (!isOwn) {
      // Another template has the same hash: the next sync uses another collision count.
      if (existing) await state.update({ collisionCount: (deployment.status?.collisionCount ?? 0) + 1 });
      throw error;
    }
    created = existing;
    isNew = false;
  }
  state.replace(created);
  const { name } = created.metadata;
  const replicas = replicasOf(set);
  if (isNew && replicas > 0) {
    client.event('Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${replicas}`);
  }
  const message = `Created new replica set "${name}"`;
  await noteRevision(state, String(revision), isNew ? { reason: 'NewReplicaSetCreated', message } : undefined);
  return created;
}

async function noteFailure(state: RolloutState, { metadata }: ReplicaSet, error: unknown): Promise<void> {
  const why = error instanceof Error ? error.message : String(error);
  const message = `Failed to create new replica set "${metadata.name}": ${why}`;
  state.client.event('Warning', 'ReplicaSetCreateError', message);
  if (!hasProgressDeadline(state.deployment)) return;
  const next = condition(state.clock, 'Progressing', 'False', 'ReplicaSetCreateError', message);
  await state.update({ conditions: withCondition(state.deployment.status?.conditions, next) });
}
