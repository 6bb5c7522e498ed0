/** Changes of pods, told as keys of the Services that select them. */

import { isDeepStrictEqual } from 'node:util';
import { type Informer, keyOf } from '@fleet/client/informer.ts';
import { byNamespace } from '@fleet/client/object-index.ts';
import type { Pod } from '../shared/objects.ts';
import { isReady } from '../shared/pod-state.ts';
import { type Service, selectsPod } from './service.ts';

/** Most updates of a pod change nothing for its Services. */
function isRelevant(now: Pod | undefined, old: Pod | undefined): boolean {
  if (!now || !old) return true;
  return (
    now.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    now.status?.phase !== old.status?.phase ||
    isReady(now) !== isReady(old) ||
    now.spec.nodeName !== old.spec.nodeName ||
    !isDeepStrictEqual(now.status?.podIPs, old.status?.podIPs) ||
    !isDeepStrictEqual(now.metadata.labels, old.metadata.labels)
  );
}

export function followServicePods(pods: Informer<Pod>, known: Informer<Service>, add: (key: string) => void): void {
  const namespaces = known.index('namespace', byNamespace);
  pods.subscribe((_, now, old) => {
    if (!isRelevant(now, old)) return;
    for (const service of namespaces.get((now ?? old)?.metadata.namespace ?? '')) {
      const isSelected = (now && selectsPod(service, now)) || (old && selectsPod(service, old));
      if (isSelected) add(keyOf(service));
    }
  });
}

export const podsOfService = (pods: Informer<Pod>, service: Service): Pod[] =>
  [...pods.index('namespace', byNamespace).get(service.metadata.namespace ?? '')].filter((pod) =>
    selectsPod(service, pod),
  );
