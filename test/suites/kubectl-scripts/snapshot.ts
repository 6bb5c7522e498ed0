/** What controllers and the scheduler have made of a namespace, in a form that two clusters can share. */

import { type ComparedCluster, type Contents, type Resource, resources, type Served } from './compared-cluster.ts';
import { type Hidden, linesOf, normal, normalText } from './normal-form.ts';

/** By kind and name, each object as lines; several where names are random. */
export type Snapshot = ReadonlyMap<string, readonly string[]>;

export function snapshotOf(cluster: ComparedCluster, namespace: string, nodes: readonly string[]): Snapshot {
  const hidden: Hidden = { names: cluster.names, nodes: nodes.length === 0 };
  const contents = cluster.contents(namespace);
  const all = new Map<string, string[]>();
  const add = (key: string, value: unknown) => {
    const texts = all.get(key) ?? [];
    texts.push(linesOf(ordered(normal(value, hidden))).join('\n'));
    all.set(key, texts);
  };
  for (const resource of resources) {
    if (resource === 'events') continue;
    for (const object of contents[resource]) {
      const name = normalText(object.metadata.name, hidden);
      add(`${resource} ${name}`, comparable(resource, object));
    }
  }
  for (const [about, count] of eventsOf(contents, hidden)) all.set(about, [String(count)]);
  for (const node of cluster.nodes()) {
    const { name } = node.metadata;
    if (nodes.includes(name))
      add(`nodes ${name}`, { taints: node.spec?.['taints'], unschedulable: node.spec?.['unschedulable'] });
  }
  for (const texts of all.values()) texts.sort();
  return all;
}

function comparable(resource: Resource, object: Served): Served {
  switch (resource) {
    case 'pods':
      return withoutKubelet(object);
    case 'endpoints':
    case 'endpointslices':
      return withoutTriggers(object);
    default:
      return object;
  }
}

/** How often they were written, and the time of the last reason, depend on how many steps a node makes of a start. */
function withoutTriggers({ metadata, ...rest }: Served): Served {
  const { generation: _, annotations = {}, ...kept } = metadata;
  const { 'endpoints.kubernetes.io/last-change-trigger-time': __, ...others } = annotations;
  return { ...rest, metadata: { ...kept, ...(Object.keys(others).length > 0 ? { annotations: others } : {}) } };
}

/** Endpoints are in the order of addresses and hashes. */
const unordered = new Set(['endpoints', 'addresses', 'notReadyAddresses']);

function ordered(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => ordered(item));
    return unordered.has(key)
      ? items.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
      : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, ordered(item, name)]));
}

/** Conditions of a pod that are not a kubelet's. */
const ofOthers = new Set(['PodScheduled', 'DisruptionTarget']);

function withoutKubelet(pod: Served): Served {
  const {
    phase,
    qosClass,
    nominatedNodeName,
    conditions = [],
  } = (pod.status ?? {}) as {
    phase?: string;
    qosClass?: string;
    nominatedNodeName?: string;
    conditions?: { type: string; status: string; observedGeneration?: number }[];
  };
  const others = conditions
    .filter(({ type }) => ofOthers.has(type))
    // That a pod is scheduled is written by the binding, and once more by the kubelet.
    .map(({ observedGeneration, ...one }) =>
      one.status === 'True' && one.type === 'PodScheduled' ? one : { ...one, observedGeneration },
    );
  return { ...pod, status: { phase, qosClass, nominatedNodeName, conditions: others } };
}

interface EventParts {
  type: string;
  reason: string;
  message: string;
  count?: number;
  involvedObject: { kind: string; name: string; apiVersion?: string; fieldPath?: string };
  source?: { component?: string };
  reportingComponent?: string;
}

const componentOf = ({ reportingComponent, source }: EventParts): string =>
  reportingComponent || source?.component || '';

/** What client-go aggregates. */
const groupOf = (
  { type, reason, involvedObject: { kind, name, fieldPath = '' } }: EventParts,
  component: string,
): string => `${component} ${type} ${reason} ${kind}/${name}${fieldPath}`;

const kubelets = new Set(['kubelet', 'kwok', 'kwok-controller']);

/** Recorded at each look at the object: how many there are depends on how many looks it takes. */
const repeated = new Set(['FailedScheduling', 'UnexpectedJob', 'UnmanagedPods', 'NoPods']);

/** kwok deletes a pod by its name, at times the next one of that name, too: its StatefulSet makes it, or rolls it out, once more. */
const isOrdinal = ({ reason, message, involvedObject }: EventParts, { names }: Hidden): boolean =>
  (reason === 'Scheduled' && names.isOrdinal(involvedObject.name)) ||
  (involvedObject.kind === 'StatefulSet' && /^(Create|Delete) Pod /.test(message));

/**
 * What passes between two states of a node: kube-scheduler tries pods while a cordon's taint is still there, and while a pod that
 * it has chosen a node for is being deleted. And what kube-apiserver returns for a Service that it is just writing.
 */
const isPassing = ({ reason, message }: EventParts): boolean =>
  reason === 'ClusterIPNotAllocated' ||
  reason === 'FailedToUpdateEndpoint' ||
  reason === 'FailedToUpdateEndpointSlices' ||
  (reason === 'FailedScheduling' &&
    (!message.startsWith('0/') || /untolerated taint.*were unschedulable/.test(message)));

/** How often each was recorded, however they were aggregated. How often the scheduler retries is up to its queue. */
function eventsOf({ events }: Contents, hidden: Hidden): Map<string, number | 'some'> {
  const counts = new Map<string, number | 'some'>();
  const all = (events as unknown as EventParts[]).map((event) => [event, componentOf(event)] as const);
  // Which of ten kinds of messages are still distinguished is random in client-go.
  const combined = new Set(
    all.flatMap(([event, component]) => (event.message.startsWith('(combined') ? [groupOf(event, component)] : [])),
  );
  for (const [event, component] of all) {
    if (kubelets.has(component) || isPassing(event)) continue;
    const group = groupOf(event, component);
    const text = combined.has(group) ? `${group}: many` : `${group}: ${event.message}`;
    const about = normalText(`events ${text}`, hidden);
    const known = counts.get(about) ?? 0;
    const isRepeated = repeated.has(event.reason) || known === 'some' || isOrdinal(event, hidden);
    counts.set(about, isRepeated ? 'some' : known + (event.count ?? 1));
  }
  return counts;
}
