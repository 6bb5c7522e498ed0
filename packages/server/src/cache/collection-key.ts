/** The keys by which the cache finds a collection: one resource of one cluster, in all namespaces or in one. */

import type { ClusterName } from '../target/target.ts';

/** The collection that a request addresses. */
export interface AskedCollection {
  group: string;
  version: string;
  resource: string;
  namespace?: string | undefined;
}

export const collectionKey = (cluster: ClusterName, { group, version, resource, namespace }: AskedCollection): string =>
  JSON.stringify([cluster, group, version, resource, namespace ?? null]);

/** The same objects in all API versions and namespaces, also those of another group or resource: a write is a write to all of them. */
export const storageKey = (cluster: ClusterName, asked: Pick<AskedCollection, 'group' | 'resource'>): string =>
  JSON.stringify([cluster, ...(stored.get(`${asked.resource}.${asked.group}`) ?? [asked.group, asked.resource])]);

/** What kube-apiserver stores as another resource; `extensions` up to Kubernetes 1.21. */
const stored: ReadonlyMap<string, readonly [group: string, resource: string]> = new Map([
  ['events.events.k8s.io', ['', 'events']],
  ['bindings.', ['', 'pods']],
  ['deployments.extensions', ['apps', 'deployments']],
  ['daemonsets.extensions', ['apps', 'daemonsets']],
  ['replicasets.extensions', ['apps', 'replicasets']],
  ['ingresses.extensions', ['networking.k8s.io', 'ingresses']],
  ['networkpolicies.extensions', ['networking.k8s.io', 'networkpolicies']],
  ['podsecuritypolicies.extensions', ['policy', 'podsecuritypolicies']],
]);
