/** The ResourceQuota controller: recounts usage after deletions, and every few minutes. */

import { isDeepStrictEqual } from 'node:util';
import { isInScope, isTerminating, type ResourceQuota } from '@fleet/apiserver/admission/quota-scopes.ts';
import { type CountedKind, countedNames, groupResource, usageOf } from '@fleet/apiserver/admission/quota-usage.ts';
import type { KubeObject as ServedObject } from '@fleet/apiserver/registry/kube-object.ts';
import { keyOf } from '@fleet/client/informer.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { byNamespace } from '@fleet/client/object-index.ts';
import { Pace } from '@fleet/client/pace.ts';
import { addQuantities, formatQuantity, parseQuantity, type Quantity } from '@fleet/kube/quantity.ts';
import { inert } from '../../fill.ts';
import type { Pod } from '../../pods/pod.ts';
import { listPath, pathOf, podPaths } from '../shared/controller-ref.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import { kindsOf } from './quota-kinds.ts';

type Quota = ResourceQuota & KubeObject;

const quotaPaths = { root: 'api/v1', resource: 'resourcequotas' };
const pods = { group: '', resource: 'pods' };

/** `--resource-quota-sync-period`. */
const resyncSeconds = 300;
/** Of kinds that have no informer here, and are only counted. */
const countSeconds = 30;
const nothing = parseQuantity('0');

export function startQuotas(parts: ControllerParts): AsyncDisposable {
  const { client, clock, informers, signal } = parts;
  const quotas = informers.of<Quota>(listPath(quotaPaths));
  const known = informers.of<Pod>(listPath(podPaths));

  /** Pods that the informers leave out count, too: any user may give a pod that label. */
  const inertPods = async (namespace: string): Promise<Pod[]> => {
    const path = `${pathOf(podPaths, { namespace })}?labelSelector=${encodeURIComponent(inert)}`;
    const { items } = await client.list<Pod>(path, signal);
    return items.filter((pod) => !known.get(keyOf(pod)));
  };

  const followed = (namespace: string): readonly Pod[] => [...known.index('namespace', byNamespace).get(namespace)];

  const listed = async ({ group, version, resource }: CountedKind, namespace: string) => {
    const root = group ? `apis/${group}/${version}` : `api/${version}`;
    const { items } = await client.list<KubeObject>(`/${root}/namespaces/${namespace}/${resource}`, signal);
    return items;
  };

  const reconciler = new Reconciler({
    parts,
    component: 'resourcequota-controller',
    async reconcile(key) {
      const quota = quotas.get(key);
      if (!quota || quota.metadata.deletionTimestamp) return;
      const { metadata } = quota;
      const hard = quota.spec?.hard ?? {};
      const namespace = metadata.namespace ?? '';
      const used = new Map<string, Quantity>();
      const { kinds, isUnknown } = await kindsOf(client, hard, signal);
      // Deletions of these objects, and newly served kinds, are not seen here.
      let isUnseen = isUnknown;
      for (const kind of kinds) {
        const names = countedNames(kind, hard);
        const isPod = groupResource(kind) === 'pods';
        const unseen = isPod ? await inertPods(namespace) : await listed(kind, namespace);
        isUnseen ||= !isPod || unseen.length > 0;
        const objects = isPod ? [...followed(namespace), ...unseen] : unseen;
        for (const [name, amount] of await total(quota, kind, names, objects)) used.set(name, amount);
      }
      const counted = Array.from(used, ([name, amount]) => [name, formatQuantity(amount)] as const);
      const kept = Object.entries(quota.status?.used ?? {}).filter(([name]) => name in hard);
      const status = { hard, used: Object.fromEntries([...kept, ...counted]) };
      if (!isDeepStrictEqual(status, { hard: quota.status?.hard, used: quota.status?.used })) {
        const path = `${pathOf(quotaPaths, metadata, metadata.name)}/status`;
        const body = { ...quota, apiVersion: 'v1', kind: 'ResourceQuota', status };
        reconciler.expectations.wrote(key, quotas, await client.replace<Quota>(path, body, signal));
      }
      reconciler.addAfter(key, clock.millis(isUnseen ? countSeconds : resyncSeconds));
    },
  });

  // A status that admission has increased is not recounted: the object may not have arrived here yet.
  quotas.subscribe((key, now) => {
    if (now && !isDeepStrictEqual(now.spec?.hard ?? {}, now.status?.hard)) reconciler.add(key);
  });
  known.subscribe((_key, now, old) => {
    if (!old) return;
    const near = quotas.index('namespace', byNamespace).get(old.metadata.namespace ?? '');
    if (!now || usesLess(old, now)) for (const quota of near) reconciler.add(keyOf(quota));
  });
  return reconciler;
}

async function total(
  quota: Quota,
  kind: CountedKind,
  names: readonly string[],
  objects: readonly KubeObject[],
): Promise<Map<string, Quantity>> {
  const isPod = groupResource(kind) === 'pods';
  const sums = new Map(names.map((name) => [name, nothing]));
  const pace = new Pace();
  for (const object of objects as unknown as ServedObject[]) {
    if (pace.isDue) await pace.rest();
    if (!isInScope(quota, object, isPod)) continue;
    // A quota may limit many storage classes, and a claim has one.
    for (const [name, amount] of usageOf(kind, object)) {
      const sum = sums.get(name);
      if (sum) sums.set(name, addQuantities(sum, amount));
    }
  }
  return sums;
}

/** The pod has ended, was resized, or is under other quotas now. */
function usesLess(old: Pod, now: Pod): boolean {
  if (isTerminating(old.spec) !== isTerminating(now.spec)) return true;
  const usage = usageOf(pods, now as unknown as ServedObject);
  return [...usageOf(pods, old as unknown as ServedObject)].some(
    ([name, { nano }]) => (usage.get(name)?.nano ?? 0n) < nano,
  );
}
