/** Protects claims that pods use: `pkg/controller/volume/pvcprotection`. */

import type { KubeList } from '@fleet/client/kube-client.ts';
import type { Pod } from '../../pods/pod.ts';
import { claimNameOf, claimsOf } from '../../pods/pod-claims.ts';
import { isTerminal } from '../../pods/pod-conditions.ts';
import { controllerOf, listPath, pathOf, podPaths } from '../shared/controller-ref.ts';
import type { ControllerParts } from '../shared/reconciler.ts';
import { type Claim, claimPaths } from '../stateful-sets/stateful-set.ts';
import { startProtection } from './protection.ts';

/** The kubelet has released it, or never had it: only finalizers may keep it. */
const isShutDown = ({ metadata }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;

/** A pod without a node does not use it: a kubelet starts no pod whose claim is being deleted. An ended pod does. */
export const usesClaim = (pod: Pod, claim: Claim): boolean =>
  Boolean(pod.spec.nodeName) &&
  (pod.spec.volumes ?? []).some((volume) => {
    if (claimNameOf(pod, volume) !== claim.metadata.name) return false;
    return volume.persistentVolumeClaim || (!isShutDown(pod) && controllerOf(claim)?.uid === pod.metadata.uid);
  });

/** The pods of a namespace that have claims, from the server: the informer may not have new ones yet. */
export class LivePods {
  readonly #list: (namespace: string) => Promise<KubeList<Pod>>;
  #last: { namespace: string; listed: Promise<{ version: number; pods: Pod[] }> } | undefined;

  constructor(list: (namespace: string) => Promise<KubeList<Pod>>) {
    this.#list = list;
  }

  /**
   * A list from after the claim's deletion is new enough to show that nothing uses it, so a namespace with many claims does not
   * need as many lists. That something uses it may have changed since.
   */
  async use(claim: Claim): Promise<boolean> {
    const { namespace = '', resourceVersion } = claim.metadata;
    const areUsing = (pods: readonly Pod[]): boolean => pods.some((pod) => usesClaim(pod, claim));
    const known = this.#last?.namespace === namespace ? await this.#last.listed.catch(() => undefined) : undefined;
    if (known && known.version >= Number(resourceVersion) && !areUsing(known.pods)) return false;
    const listed = this.#list(namespace).then(({ metadata: of, items }) => ({
      version: Number(of.resourceVersion),
      pods: items.filter((pod) => claimsOf(pod).length > 0),
    }));
    this.#last = { namespace, listed };
    return areUsing((await listed).pods);
  }
}

/** The claims, by namespace and name, that a pod's change may have released. */
export function freedClaims(now: Pod | undefined, old: Pod | undefined): readonly string[] {
  // A pod that was replaced by one of the same name is gone, too.
  const gone = old && old.metadata.uid !== now?.metadata.uid ? [old] : [];
  const freeing = now && (isTerminal(now) || !now.spec.nodeName) ? [now] : [];
  return [...gone, ...freeing].flatMap(claimsOf);
}

export function startClaimProtection(parts: ControllerParts): AsyncDisposable {
  const { client, informers, signal } = parts;
  const claims = informers.of<Claim>(listPath(claimPaths));
  const pods = informers.of<Pod>(listPath(podPaths));
  const live = new LivePods((namespace) => client.list<Pod>(pathOf(podPaths, { namespace }), signal));
  const reconciler = startProtection(parts, {
    component: 'pvc-protection-controller',
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    finalizer: 'kubernetes.io/pvc-protection',
    known: claims,
    pathOf: ({ metadata }) => pathOf(claimPaths, metadata, metadata.name),
    isUsed(claim) {
      const { namespace, name } = claim.metadata;
      const known = [...pods.index('claim', claimsOf).get(`${namespace}/${name}`)];
      return known.some((pod) => usesClaim(pod, claim)) || live.use(claim);
    },
  });
  pods.subscribe((_key, now, old) => {
    for (const key of freedClaims(now, old)) reconciler.add(key);
  });
  return reconciler;
}
