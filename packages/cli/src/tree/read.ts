/** Reads all objects of a template: in the control plane, and in each of its clusters. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { Binding } from '@fleet/federation/api/bindings.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { worksPath } from '@fleet/federation/api/paths.ts';
import type { Work } from '@fleet/federation/api/works.ts';
import { bindingIdLabels } from '@fleet/federation/binding/binding-of.ts';
import { clustersOf } from '@fleet/federation/binding/conditions.ts';
import { bindingIdOf } from '@fleet/federation/work/marks.ts';
import { clusterOfSpace } from '@fleet/federation/work/work-name.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { concurrently } from '../concurrently.ts';
import { HintedError } from '../errors.ts';
import { type FederatedMember, readMembers } from '../federated-members.ts';
import { apiVersionOf, type NamedObject } from '../named-object.ts';
import { readBinding } from '../stored-objects.ts';
import { readOverrides, readPolicies } from '../stored-policies.ts';
import { healthOf } from './branches.ts';
import type { MemberObject, Reading, Warning } from './reading.ts';

export interface TreeClients {
  controlPlane: KubeClient;
  /** Of the fleet's root: one connection leads to all members. */
  fleet: KubeClient;
}

export async function readTree({ controlPlane, fleet }: TreeClients, named: NamedObject): Promise<Reading> {
  const { namespace } = named;
  const template = await readTemplate(controlPlane, named);
  const [policies, overrides, binding, members] = await Promise.all([
    readPolicies(controlPlane, namespace),
    readOverrides(controlPlane, namespace),
    readBinding(controlPlane, template),
    readMembers(controlPlane),
  ]);
  const works = binding ? await readWorks(controlPlane, binding) : [];
  const warnings = await readWarnings(controlPlane, [template, ...(binding ? [binding] : [])]);
  const holders = new Set([
    ...(binding ? clustersOf(binding.spec) : []),
    ...works.flatMap(({ metadata }) => clusterOfSpace(metadata.namespace ?? '') ?? []),
  ]);
  const healthy = new Set(
    works
      .filter((work) => healthOf(work) === 'Healthy')
      .map(({ metadata }) => clusterOfSpace(metadata.namespace ?? '')),
  );
  const objects = await readObjects({ fleet, path: named.path, members, healthy }, [...holders]);
  return { template, policies, ...overrides, binding, works, members, warnings, objects };
}

async function readTemplate(controlPlane: KubeClient, named: NamedObject): Promise<AnyObject> {
  const { type, name, namespace, path } = named;
  try {
    const object = await controlPlane.get<AnyObject>(path);
    return { ...object, apiVersion: apiVersionOf(type), kind: type.kind };
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    throw new HintedError(
      `the control plane has no ${type.kind} "${name}"${namespace ? ` in namespace "${namespace}"` : ''}`,
      'Templates are objects of the control plane. "fleet get" shows those of members, "fleet promote" makes one a template',
      { cause: error },
    );
  }
}

async function readWorks(controlPlane: KubeClient, binding: Binding): Promise<Work[]> {
  const [id] = bindingIdOf(binding) ?? [];
  if (id === undefined) return [];
  const label = bindingIdLabels[binding.metadata.namespace ? 'namespaced' : 'cluster'];
  const { items } = await controlPlane.list<Work>(`${worksPath}?labelSelector=${encodeURIComponent(`${label}=${id}`)}`);
  return items;
}

interface EventObject {
  type?: string;
  reason?: string;
  message?: string;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  involvedObject?: { uid?: string };
}

/** None where the user may not read events: they only add a reason. */
async function readWarnings(
  controlPlane: KubeClient,
  about: readonly { metadata: AnyObject['metadata'] }[],
): Promise<Warning[]> {
  const lists = await Promise.all(
    about.map(async ({ metadata: { namespace = 'default', uid = '' } }) => {
      const selector = encodeURIComponent(`involvedObject.uid=${uid},type=Warning`);
      try {
        const { items } = await controlPlane.list<EventObject>(
          `/api/v1/namespaces/${namespace}/events?fieldSelector=${selector}`,
        );
        return items.filter(({ type, involvedObject }) => type === 'Warning' && involvedObject?.uid === uid);
      } catch (error) {
        if (isStatus(error, 403)) return [];
        throw error;
      }
    }),
  );
  const timeOf = ({ lastTimestamp, eventTime }: EventObject): number =>
    Date.parse(lastTimestamp ?? eventTime ?? '') || 0;
  return lists
    .flat()
    .sort((one, other) => timeOf(other) - timeOf(one))
    .map(({ reason = '', message = '' }) => ({ reason, message }));
}

interface ObjectReads {
  fleet: KubeClient;
  path: string;
  members: readonly FederatedMember[];
  /** Clusters where nobody asks for pods. */
  healthy: ReadonlySet<string | undefined>;
}

async function readObjects(reads: ObjectReads, clusters: readonly string[]): Promise<Map<string, MemberObject>> {
  const objects = new Map<string, MemberObject>();
  await concurrently(clusters, new AbortController().signal, async (name) => {
    objects.set(name, await readObject(reads, name));
  });
  return objects;
}

async function readObject({ fleet, path, members, healthy }: ObjectReads, name: string): Promise<MemberObject> {
  const member = members.find(({ cluster }) => cluster.metadata.name === name);
  if (!member) return { is: 'unread', why: 'the cluster is not in the fleet' };
  if (member.unready !== undefined) return { is: 'unread', why: member.unready };
  const place = `/clusterspaces/${name}`;
  try {
    const object = await fleet.get<AnyObject>(`${place}${path}`);
    return { is: 'there', object, pods: healthy.has(name) ? [] : await readPods(fleet, place, object) };
  } catch (error) {
    if (isStatus(error, 404)) return { is: 'missing' };
    // One member that does not answer, or does not let the user read, hides no other.
    return { is: 'unread', why: (error as Error).message };
  }
}

/** Those of a workload, to find why some of them do not run. */
async function readPods(
  fleet: KubeClient,
  place: string,
  { metadata, spec }: AnyObject,
): Promise<readonly AnyObject[]> {
  const labels = (spec as { selector?: { matchLabels?: Record<string, string> } } | undefined)?.selector?.matchLabels;
  if (!labels || !metadata.namespace) return [];
  const selector = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const path = `${place}/api/v1/namespaces/${metadata.namespace}/pods`;
  try {
    return (await fleet.list<AnyObject>(`${path}?labelSelector=${encodeURIComponent(selector.join(','))}`)).items;
  } catch (error) {
    // The workload's own status reports the problem; its pods only add the cause.
    if (error instanceof StatusError) return [];
    throw error;
  }
}
