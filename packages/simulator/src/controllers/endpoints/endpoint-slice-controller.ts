/** The EndpointSlice controller: keeps the slices of Services with a selector. */

import { isStatus } from '@fleet/client/kube-client.ts';
import { byNamespace } from '@fleet/client/object-index.ts';
import type { Node } from '../../nodes/node.ts';
import type { Pod } from '../../pods/pod.ts';
import { listPath, pathOf, podPaths } from '../shared/controller-ref.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import { type Service, selectorOf, services, triggerAnnotation } from './service.ts';
import { followServicePods, podsOfService } from './service-pods.ts';
import { controllerName, type EndpointSlice, managedBy, serviceName, sliceChanges } from './slices.ts';
import { TriggerTimes, withTriggerTime } from './trigger-times.ts';

const slicePaths = { root: 'apis/discovery.k8s.io/v1', resource: 'endpointslices' };

export function startEndpointSlices(parts: ControllerParts): AsyncDisposable {
  const { client, informers, signal } = parts;
  const known = informers.of<Service>(listPath(services));
  const pods = informers.of<Pod>(listPath(podPaths));
  const nodes = informers.of<Node>('/api/v1/nodes');
  const slices = informers.of<EndpointSlice>(listPath(slicePaths));
  const times = new TriggerTimes();
  /** Services with pods on nodes that are not known yet. */
  const waiting = new Set<string>();

  const reconcile = async (key: string): Promise<void> => {
    const service = known.get(key);
    waiting.delete(key);
    if (!service) times.forget(key);
    // Its slices are garbage collected with it, as it owns them.
    if (!service || !selectorOf(service)) return;
    const selected = await podsOfService(pods, service);
    const own = [...slices.index('namespace', byNamespace).get(service.metadata.namespace ?? '')].filter(
      ({ metadata }) =>
        !metadata.deletionTimestamp &&
        metadata.labels?.[managedBy] === controllerName &&
        metadata.labels[serviceName] === service.metadata.name,
    );
    const changes = await sliceChanges(service, selected, own, (name) => nodes.get(name));
    const time = times.next(key, service, selected);
    const noted = (annotations: Record<string, string> | undefined) =>
      withTriggerTime(triggerAnnotation, annotations, time);
    if (!service.metadata.deletionTimestamp) {
      for (const slice of changes.create) {
        const body = { ...slice, metadata: { ...slice.metadata, ...noted(undefined) } };
        const path = pathOf(slicePaths, service.metadata);
        reconciler.expectations.wrote(key, slices, await client.create<EndpointSlice>(path, body, signal));
      }
    }
    for (const slice of changes.update) {
      const { annotations, ...metadata } = slice.metadata;
      const body = {
        ...slice,
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { ...metadata, ...noted(annotations) },
      };
      const path = pathOf(slicePaths, service.metadata, slice.metadata.name);
      reconciler.expectations.wrote(key, slices, await client.replace<EndpointSlice>(path, body, signal));
    }
    for (const slice of changes.delete) {
      try {
        await client.delete(pathOf(slicePaths, service.metadata, slice.metadata.name), undefined, signal);
        reconciler.expectations.deleted(key, slices, slice);
      } catch (error) {
        if (!isStatus(error, 404)) throw error;
      }
    }
    if (changes.hasUnknownNodes) waiting.add(key);
  };

  const reconciler: Reconciler = new Reconciler({ parts, component: 'endpoint-slice-controller', reconcile });
  known.subscribe((key) => reconciler.add(key));
  followServicePods(pods, known, (key) => reconciler.add(key), parts.onError);
  slices.subscribe((_, now, old) => {
    const { labels = {}, namespace } = (now ?? old)!.metadata;
    if (labels[managedBy] === controllerName) reconciler.add(`${namespace}/${labels[serviceName]}`);
  });
  nodes.subscribe((_, now, old) => {
    if (now && !old) for (const key of waiting) reconciler.add(key);
  });
  return reconciler;
}
