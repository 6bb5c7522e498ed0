/** The Endpoints controller: keeps the Endpoints of Services with a selector. */

import { keyOf } from '@fleet/client/informer.ts';
import { isNamespaceTerminating, isStatus } from '@fleet/client/kube-client.ts';
import type { Pod } from '../../pods/pod.ts';
import { listPath, pathOf, podPaths } from '../shared/controller-ref.ts';
import { messageOf } from '../shared/pod-control.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';
import { type Endpoints, nextEndpoints } from './endpoints-object.ts';
import { type Service, selectorOf, services, triggerAnnotation } from './service.ts';
import { followServicePods, podsOfService } from './service-pods.ts';
import { TriggerTimes, withTriggerTime } from './trigger-times.ts';

const endpointsPaths = { root: 'api/v1', resource: 'endpoints' };

export function startEndpoints(parts: ControllerParts): AsyncDisposable {
  const { client, informers, signal } = parts;
  const known = informers.of<Service>(listPath(services));
  const pods = informers.of<Pod>(listPath(podPaths));
  const endpoints = informers.of<Endpoints>(listPath(endpointsPaths));
  const times = new TriggerTimes();

  const remove = async (key: string): Promise<void> => {
    times.forget(key);
    const left = endpoints.get(key);
    if (!left) return;
    try {
      await client.delete(pathOf(endpointsPaths, left.metadata, left.metadata.name), undefined, signal);
      reconciler.expectations.deleted(key, endpoints, left);
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
    }
  };

  const reconcile = async (key: string): Promise<void> => {
    const service = known.get(key);
    if (!service) return remove(key);
    if (!selectorOf(service)) return;
    const selected = await podsOfService(pods, service);
    const time = times.next(key, service, selected);
    const current = endpoints.get(key);
    const next = await nextEndpoints(service, selected, current);
    if (!next) return;
    const { annotations, ...metadata } = next.metadata;
    const body = { ...next, metadata: { ...metadata, ...withTriggerTime(triggerAnnotation, annotations, time) } };
    const path = pathOf(endpointsPaths, service.metadata, current ? service.metadata.name : undefined);
    try {
      const written = current
        ? await client.replace<Endpoints>(path, body, signal)
        : await client.create<Endpoints>(path, body, signal);
      reconciler.expectations.wrote(key, endpoints, written);
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      const where = `${metadata.namespace}/${metadata.name}`;
      const [reason, message] = current
        ? ['FailedToUpdateEndpoint', `Failed to update endpoint ${where}: ${messageOf(error)}`]
        : ['FailedToCreateEndpoint', `Failed to create endpoint for service ${where}: ${messageOf(error)}`];
      const about = { apiVersion: 'v1', kind: 'Endpoints', metadata: next.metadata };
      reconciler.events.event(about, 'Warning', reason!, message!);
      throw error;
    }
  };

  const reconciler: Reconciler = new Reconciler({ parts, component: 'endpoint-controller', reconcile });
  known.subscribe((key) => reconciler.add(key));
  followServicePods(pods, known, (key) => reconciler.add(key), parts.onError);
  // Endpoints that somebody deleted are created again.
  endpoints.subscribe((key, now) => {
    if (!now) reconciler.add(key);
  });
  // Deletes Endpoints of Services that were deleted while the controller was down, but not the locks of old leader elections.
  void parts.ready.then(() => {
    for (const left of endpoints.values()) {
      if (!left.metadata.annotations?.['control-plane.alpha.kubernetes.io/leader']) reconciler.add(keyOf(left));
    }
  });
  return reconciler;
}
