/** Sums the desired replicas of the pods' controllers. */

import type { Informer } from '@fleet/client/informer.ts';
import type { KubeObject, OwnerReference } from '@fleet/client/kube-client.ts';
import type { Pod } from '../../pods/pod.ts';
import { controllerOf } from '../shared/controller-ref.ts';

type Scaled = KubeObject & { spec: { replicas?: number } };

/** Looks up the controllers of each kind. */
export interface ScaledKinds {
  ReplicationController: Informer<Scaled>;
  Deployment: Informer<Scaled>;
  ReplicaSet: Informer<Scaled>;
  StatefulSet: Informer<Scaled>;
}

const withoutScale = new Map([
  ['DaemonSet', 'daemonsets.apps'],
  ['Job', 'jobs.batch'],
]);

export interface ExpectedScale {
  scale: number;
  unmanaged: Pod[];
}

/** Throws if a controller is of an unknown kind. */
export function expectedScale(pods: readonly Pod[], kinds: ScaledKinds): ExpectedScale {
  const scales = new Map<string, number>();
  const unmanaged: Pod[] = [];
  for (const pod of pods) {
    const ref = controllerOf(pod);
    if (!ref) {
      unmanaged.push(pod);
      continue;
    }
    const owner = scaledOwner(ref, pod.metadata.namespace ?? '', kinds);
    if (!owner) {
      const resource = withoutScale.get(ref.kind);
      if (resource) throw new Error(`${resource} does not implement the scale subresource`);
      throw new Error(`found no controllers for pod "${pod.metadata.name}"`);
    }
    scales.set(owner.metadata.uid!, owner.spec.replicas ?? 1);
  }
  return { scale: [...scales.values()].reduce((sum, scale) => sum + scale, 0), unmanaged };
}

/** ReplicaSets of a Deployment count as the Deployment. */
function scaledOwner({ kind, name, uid }: OwnerReference, namespace: string, kinds: ScaledKinds): Scaled | undefined {
  const informer = Object.hasOwn(kinds, kind) ? kinds[kind as keyof ScaledKinds] : undefined;
  const owner = informer?.get(`${namespace}/${name}`);
  if (owner?.metadata.uid !== uid) return undefined;
  const above = kind === 'ReplicaSet' && owner ? controllerOf(owner) : undefined;
  return above?.kind === 'Deployment' ? scaledOwner(above, namespace, kinds) : owner;
}
