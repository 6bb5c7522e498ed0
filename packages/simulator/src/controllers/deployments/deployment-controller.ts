/** The Deployment controller: reconciles ReplicaSets with the Deployment's spec. */

import { selectsByObject } from '@fleet/apiserver/selectors/selector-object.ts';
import { type Informer, keyOf } from '@fleet/client/informer.ts';
import { isNamespaceTerminating, isStatus, type KubeObject } from '@fleet/client/kube-client.ts';
import { byController } from '@fleet/client/object-index.ts';
import type { Pod } from '../../pods/pod.ts';
import { type ReplicaSet, replicaSets } from '../replica-sets/replica-set.ts';
import { candidates, claim, controllerOf, listPath, pathOf, podPaths } from '../shared/controller-ref.ts';
import { followOwned } from '../shared/owned-objects.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import { type Deployment, deployments } from './deployment.ts';
import { advanceRollout } from './rollout.ts';
import type { RolloutClient } from './rollout-client.ts';
import { RolloutState } from './rollout-state.ts';

interface Informers {
  known: Informer<Deployment>;
  sets: Informer<ReplicaSet>;
  pods: Informer<Pod>;
}

export function startDeployments(parts: ControllerParts): AsyncDisposable {
  const informers: Informers = {
    known: parts.informers.of<Deployment>(listPath(deployments)),
    sets: parts.informers.of<ReplicaSet>(listPath(replicaSets)),
    pods: parts.informers.of<Pod>(listPath(podPaths)),
  };
  const { known, sets, pods } = informers;
  const reconciler: Reconciler = new Reconciler({
    parts,
    component: 'deployment-controller',
    reconcile: (key) => reconcile(key, informers, reconciler),
  });
  known.subscribe((key) => reconciler.add(key));
  followOwned({
    owned: sets,
    owners: known,
    kind: deployments.kind,
    selects: ({ spec }, { metadata }) => selectsByObject(spec.selector, metadata.labels ?? {}),
    add: (key) => reconciler.add(key),
    onError: parts.onError,
  });
  // The strategy Recreate waits until the last old pod is gone.
  pods.subscribe((_, now, old) => {
    if (now) return;
    const owner = ownerOf(old, informers);
    if (owner?.spec.strategy?.type === 'Recreate') reconciler.add(keyOf(owner));
  });
  return reconciler;
}

/** The Deployment of a pod's ReplicaSet. */
function ownerOf(pod: Pod | undefined, { known, sets }: Informers): Deployment | undefined {
  const ref = pod && controllerOf(pod);
  if (ref?.kind !== 'ReplicaSet') return undefined;
  const set = sets.get(`${pod!.metadata.namespace}/${ref.name}`);
  const setRef = set && controllerOf(set);
  return setRef ? known.get(`${pod!.metadata.namespace}/${setRef.name}`) : undefined;
}

async function reconcile(key: string, { known, sets, pods }: Informers, reconciler: Reconciler): Promise<void> {
  const deployment = known.get(key);
  if (!deployment) return;
  const { client, signal, clock } = reconciler.parts;
  const { metadata, spec } = deployment;
  const about = { ...deployment, apiVersion: deployments.apiVersion, kind: deployments.kind };
  const { matchLabels = {}, matchExpressions = [] } = spec.selector;
  if (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0) {
    const message = 'This deployment is selecting all pods. A non-empty selector is required.';
    reconciler.events.event(about, 'Warning', 'SelectingAll', message);
    return;
  }
  const matches = (object: KubeObject): boolean =>
    object.metadata.namespace === metadata.namespace && selectsByObject(spec.selector, object.metadata.labels ?? {});
  const owned = await claim(candidates(sets, deployment), {
    client,
    signal,
    kind: deployments,
    owner: deployment,
    paths: replicaSets,
    matches,
    onWrite: (object) => reconciler.expectations.wrote(key, sets, object),
  });
  const podOwners = pods.index('controller', byController);
  const ownPods = owned.flatMap(({ metadata: { uid } }) => [...podOwners.get(uid!)]);
  const rollout = rolloutClient(key, about, { known, sets }, reconciler);
  const next = await advanceRollout(new RolloutState(deployment, owned, ownPods, rollout, clock));
  if (next !== undefined) reconciler.addAfter(key, next);
}

function rolloutClient(
  key: string,
  about: Deployment & { apiVersion: string; kind: string },
  { known, sets }: Pick<Informers, 'known' | 'sets'>,
  reconciler: Reconciler,
): RolloutClient {
  const { parts, expectations, events } = reconciler;
  const { client, signal } = parts;
  const { metadata, apiVersion, kind } = about;
  const path = pathOf(deployments, metadata, metadata.name);
  const written = <T extends KubeObject>(informer: Informer<T>, object: T): T => {
    expectations.wrote(key, informer, object);
    return object;
  };
  return {
    createSet: async (set) =>
      written(sets, await client.create<ReplicaSet>(pathOf(replicaSets, metadata), set, signal)),
    existingSet: (name) => sets.get(`${metadata.namespace}/${name}`),
    updateSet: async (set) => {
      const body = { ...set, apiVersion: replicaSets.apiVersion, kind: replicaSets.kind };
      return written(
        sets,
        await client.replace<ReplicaSet>(pathOf(replicaSets, metadata, set.metadata.name), body, signal),
      );
    },
    deleteSet: async (set) => {
      try {
        await client.delete(pathOf(replicaSets, metadata, set.metadata.name), undefined, signal);
        expectations.deleted(key, sets, set);
      } catch (error) {
        if (!isStatus(error, 404)) throw error;
      }
    },
    updateStatus: async (deployment) =>
      written(known, await client.replace<Deployment>(`${path}/status`, { ...deployment, apiVersion, kind }, signal)),
    update: async (deployment) => {
      written(known, await client.replace<Deployment>(path, { ...deployment, apiVersion, kind }, signal));
    },
    event: (type, reason, message) => events.event(about, type, reason, message),
    isAlreadyExists: (error) => isStatus(error, 409) && error.reason === 'AlreadyExists',
    isNamespaceTerminating,
  };
}
