/** The usage of objects in ResourceQuotas: `pkg/quota/v1/evaluator/core`. Huge pages and devices are not counted. */

import { addQuantities, largerQuantity, parseQuantity, type Quantity, QuantityError } from '@fleet/kube/quantity.ts';
import type { Container, PodSpec } from '../kinds/pods/pod-spec.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { claimUsage, isClaimName } from './claim-usage.ts';
import { serviceNames, serviceUsage } from './service-usage.ts';

/** By the names in quotas: `pods`, `requests.cpu`, `count/deployments.apps`. */
export type Usage = ReadonlyMap<string, Quantity>;

export interface CountedKind {
  group: string;
  version: string;
  resource: string;
}

const kinds = (group: string, version: string, ...resources: string[]): CountedKind[] =>
  resources.map((resource) => ({ group, version, resource }));

/** Kinds that older quotas name without `count/`. */
const named = ['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets'];

/** Pods, claims and Services are counted by their requests, too. For all other kinds, objects are counted. */
export const countedKinds: readonly CountedKind[] = [
  ...kinds('', 'v1', 'pods', 'persistentvolumeclaims', 'serviceaccounts', 'services', ...named),
  ...kinds('apps', 'v1', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'),
  ...kinds('batch', 'v1', 'cronjobs', 'jobs'),
  ...kinds('autoscaling', 'v2', 'horizontalpodautoscalers'),
  ...kinds('networking.k8s.io', 'v1', 'ingresses', 'networkpolicies'),
  ...kinds('policy', 'v1', 'poddisruptionbudgets'),
];

export const groupResource = ({ group, resource }: Pick<CountedKind, 'group' | 'resource'>): string =>
  group ? `${resource}.${group}` : resource;

/** Those of `pkg/quota/v1/install` that are stored. */
const ignoredKinds = ['events', 'events.events.k8s.io'];

/** Including custom kinds. */
export const isCountedKind = (kind: Pick<CountedKind, 'group' | 'resource'>): boolean =>
  !ignoredKinds.includes(groupResource(kind));

const computeNames = ['cpu', 'memory', 'ephemeral-storage'];
const podNames = [
  'count/pods',
  'pods',
  ...computeNames,
  ...computeNames.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
];

/** The names in a quota to which objects of a kind contribute. */
export function countedNames(
  kind: Pick<CountedKind, 'group' | 'resource'>,
  hard: Readonly<Record<string, string>>,
): string[] {
  return Object.keys(hard).filter((name) => isCountedName(groupResource(kind), name));
}

function isCountedName(resource: string, name: string): boolean {
  switch (resource) {
    case 'pods':
      return podNames.includes(name);
    case 'services':
      return serviceNames.includes(name);
    case 'persistentvolumeclaims':
      return isClaimName(name);
    default:
      return name === `count/${resource}` || (name === resource && named.includes(name));
  }
}

const one = parseQuantity('1');

export function usageOf(kind: Pick<CountedKind, 'group' | 'resource'>, object: KubeObject): Usage {
  const resource = groupResource(kind);
  switch (resource) {
    case 'pods':
      return podUsage(object);
    case 'services':
      return serviceUsage(object);
    case 'persistentvolumeclaims':
      return claimUsage(object);
    default:
      return new Map([
        [`count/${resource}`, one],
        [resource, one],
      ]);
  }
}

interface PodLike extends KubeObject {
  spec?: PodSpec;
  status?: { phase?: string };
}

/** Terminated pods, and pods past their grace period, count only as `count/pods`. */
function isCharged(object: KubeObject, now = Date.now()): boolean {
  const { metadata, status } = object as PodLike;
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return now <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function podUsage(object: KubeObject): Usage {
  const usage = new Map([['count/pods', one]]);
  if (!isCharged(object)) return usage;
  usage.set('pods', one);
  const { spec } = object as PodLike;
  const requests = podTotal(spec, 'requests');
  const limits = podTotal(spec, 'limits');
  for (const name of computeNames) {
    const request = requests.get(name);
    if (request) usage.set(name, request).set(`requests.${name}`, request);
    const limit = limits.get(name);
    if (limit) usage.set(`limits.${name}`, limit);
  }
  return usage;
}

type Part = 'requests' | 'limits';

type Amounts = Readonly<Record<string, unknown>> | undefined;

/**
 * Only the resources that quotas count: containers may request any number of others. Later lists are used for resources that are
 * not in the first. Invalid quantities are rejected by validation.
 */
function amountsOf(...lists: readonly Amounts[]): Usage {
  const amounts = new Map<string, Quantity>();
  for (const name of computeNames) {
    const list = lists.find((one) => one && Object.hasOwn(one, name));
    if (!list) continue;
    try {
      amounts.set(name, parseQuantity(String(list[name])));
    } catch (error) {
      if (!(error instanceof QuantityError)) throw error;
    }
  }
  return amounts;
}

/** A missing request defaults to the limit. */
const containerAmounts = ({ resources }: Container, part: Part): Usage =>
  part === 'limits' ? amountsOf(resources?.limits) : amountsOf(resources?.requests, resources?.limits);

const combined = (into: Map<string, Quantity>, more: Usage, how: (a: Quantity, b: Quantity) => Quantity): void => {
  for (const [name, amount] of more) {
    const standing = into.get(name);
    into.set(name, standing ? how(standing, amount) : amount);
  }
};

/** Init containers run one after the other, beside the sidecars that were started before them. */
function podTotal(spec: PodSpec | undefined, part: Part): Usage {
  const total = new Map<string, Quantity>();
  const sidecars = new Map<string, Quantity>();
  const initial = new Map<string, Quantity>();
  for (const container of spec?.containers ?? []) combined(total, containerAmounts(container, part), addQuantities);
  for (const container of spec?.initContainers ?? []) {
    const own = containerAmounts(container, part);
    const beside = new Map(sidecars);
    combined(beside, own, addQuantities);
    combined(initial, beside, largerQuantity);
    if (container.restartPolicy !== 'Always') continue;
    combined(total, own, addQuantities);
    combined(sidecars, own, addQuantities);
  }
  combined(total, initial, largerQuantity);
  // Resources of the pod as a whole take precedence.
  for (const [name, amount] of amountsOf(spec?.resources?.[part])) total.set(name, amount);
  const overhead = amountsOf(spec?.overhead);
  for (const [name, amount] of overhead) {
    if (part === 'requests' || total.has(name)) combined(total, new Map([[name, amount]]), addQuantities);
  }
  return total;
}
