/** A control plane and members in memory, with what lives in members beside the federation: rollouts, defaults, and objects of their own. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { clustersPath, namespacesPath } from '@fleet/federation/api/paths.ts';
import { type FakeControlPlane, fakeControlPlane } from '@fleet/federation/testing/fake-control-plane.ts';
import { servedKinds } from '@fleet/federation/testing/fake-pipeline.ts';
import { isManaged, workNameOf, workNamespaceAnnotation } from '@fleet/federation/work/marks.ts';
import { readRequestInfo } from '@fleet/kube/request-info.ts';
import type { GateWrite } from './gate.ts';

export interface World {
  controlPlane: FakeControlPlane;
  /** Those that were ever there; one that left may come back. */
  members: Map<string, FakeControlPlane>;
  /** What the federation has done to objects that are not its own. */
  trespasses: string[];
}

export function newWorld(): World {
  return { controlPlane: fakeControlPlane(), members: new Map(), trespasses: [] };
}

export const places = ({ controlPlane, members }: World): [string, FakeControlPlane][] => [
  ['control plane', controlPlane],
  ...members,
];

export async function join({ controlPlane, members }: World, name: string): Promise<void> {
  if (!members.has(name)) members.set(name, liveMember());
  const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name }, spec: {} };
  await controlPlane.client.create(clustersPath, cluster);
  const apiEnablements = servedKinds.map(({ apiVersion, kind }) => ({
    groupVersion: apiVersion,
    resources: [{ kind }],
  }));
  await report(controlPlane.client, name, { apiEnablements, conditions: [{ type: 'Ready', status: 'True' }] });
}

export const report = (client: KubeClient, name: string, status: object): Promise<unknown> =>
  client.patch(`${clustersPath}/${name}/status`, 'merge', { status });

export const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

export const createNamespace = (server: FakeControlPlane, name: string): Promise<unknown> =>
  server.client.create(namespacesPath, namespace(name));

const deployments = { group: 'apps', resource: 'deployments' };

/** Deployments get a default and are rolled out, as kube-apiserver and the deployment controller do. */
function liveMember(): FakeControlPlane {
  const member = fakeControlPlane();
  const { objects } = member;
  member.admit = ({ resource, subresource }, object) =>
    resource === 'deployments' && !subresource
      ? { ...object, spec: { progressDeadlineSeconds: 600, ...(object['spec'] as object) } }
      : object;
  const rollOut = (namespace: string, name: string): void => {
    const place = { ...deployments, namespace };
    const object = objects.find(place, name);
    if (!object || object.metadata.deletionTimestamp !== undefined) return;
    const { generation: observedGeneration, annotations } = object.metadata;
    const revision = 'deployment.kubernetes.io/revision';
    const status = object['status'] as { observedGeneration?: number } | undefined;
    if (annotations?.[revision] === undefined) {
      const metadata = { ...object.metadata, annotations: { ...annotations, [revision]: '1' } };
      objects.replace(place, name, { ...object, metadata });
      return;
    }
    if (status?.observedGeneration === observedGeneration) return;
    const { replicas = 1 } = object['spec'] as { replicas?: number };
    const counts = { replicas, readyReplicas: replicas, updatedReplicas: replicas, availableReplicas: replicas };
    objects.replace(place, name, { ...object, status: { observedGeneration, ...counts } }, 'status');
  };
  objects.follow(deployments, 0, ({ now }) => {
    // Other watchers receive a change before its consequences.
    if (now) setImmediate(rollOut, now.metadata.namespace ?? '', now.metadata.name);
  });
  return member;
}

/** Notes a write to a member's object that is not the federation's, or not of this fleet. */
export function noteTrespass(world: World, { place, method, path, body }: GateWrite): void {
  const member = world.members.get(place);
  if (!member || method === 'POST') return;
  const url = new URL(path, 'http://member');
  const info = readRequestInfo(method, url.pathname.split('/').slice(1).map(decodeURIComponent), url.searchParams);
  if (!info) return;
  const where = info.resource === 'namespaces' ? { ...info, namespace: undefined } : info;
  const object = member.objects.find(where, info.name ?? '');
  if (!object || isOurs(place, object)) return;
  const isTakenOver =
    method === 'PUT' &&
    (body as AnyObject).metadata.annotations?.['work.karmada.io/conflict-resolution'] === 'overwrite';
  if (!isTakenOver) world.trespasses.push(`not of the federation: ${method} ${path} in ${place}`);
}

const isOurs = (place: string, object: AnyObject): boolean =>
  isManaged(object) &&
  workNameOf(object) !== undefined &&
  object.metadata.annotations?.[workNamespaceAnnotation] === `karmada-es-${place}`;
