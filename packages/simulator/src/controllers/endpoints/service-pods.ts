/** Maps changes of pods to the keys of the Services that select them. */

import { isDeepStrictEqual } from 'node:util';
import { type Informer, keyOf } from '@fleet/client/informer.ts';
import { byNamespace } from '@fleet/client/object-index.ts';
import type { Pod } from '../../pods/pod.ts';
import { isReady } from '../../pods/pod-conditions.ts';
import { labelStates, pacedChanges, pacedFilter } from '../shared/paced.ts';
import { type Service, selectsPod } from './service.ts';

/** Most updates of a pod do not affect its Services. */
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

export function followServicePods(
  pods: Informer<Pod>,
  known: Informer<Service>,
  add: (key: string) => void,
  onError: (error: unknown) => void,
): void {
  const namespaces = known.index('namespace', byNamespace);
  const changed = pacedChanges<Pod[], Service>({
    othersOf: ([pod]) => namespaces.get(pod?.metadata.namespace ?? ''),
    look(service, states) {
      if (states.some((pod) => selectsPod(service, pod))) add(keyOf(service));
    },
    onError,
  });
  pods.subscribe((_, now, old) => {
    if (isRelevant(now, old)) changed(labelStates(now, old));
  });
}

export const podsOfService = (pods: Informer<Pod>, service: Service): Promise<Pod[]> =>
  pacedFilter(pods.index('namespace', byNamespace).get(service.metadata.namespace ?? ''), (pod) =>
    selectsPod(service, pod),
  );
