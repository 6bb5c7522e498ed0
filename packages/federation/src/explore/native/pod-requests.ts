/** What one pod of a template needs of a cluster: requests, and the nodes that it can run on. */

import { formatQuantity, parseQuantity, type Quantity } from '@fleet/kube/quantity.ts';
import type { ReplicaRequirements } from '../../api/bindings.ts';
import type { JsonObject, ResourceList, Toleration } from '../../api/objects.ts';
import { type Fields, recordAt, recordsAt, textAt } from './fields.ts';

/** Undefined for pods that need nothing and run on any node. */
export function requirementsOf(podSpec: Fields, namespace: string | undefined): ReplicaRequirements | undefined {
  const nodeClaim = nodeClaimOf(podSpec);
  const resourceRequest = requestOf(podSpec);
  if (!nodeClaim && !resourceRequest) return undefined;
  const priorityClassName = textAt(podSpec, 'priorityClassName');
  return {
    ...(nodeClaim && { nodeClaim }),
    ...(resourceRequest && { resourceRequest }),
    ...(namespace && { namespace }),
    ...(priorityClassName && { priorityClassName }),
  };
}

function nodeClaimOf(podSpec: Fields): ReplicaRequirements['nodeClaim'] | undefined {
  const terms = recordAt(podSpec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  const selector = recordAt(podSpec, 'nodeSelector');
  const tolerations = recordsAt(podSpec, 'tolerations');
  const claim = {
    ...(hasFields(terms) && { hardNodeAffinity: terms as JsonObject }),
    ...(hasFields(selector) && { nodeSelector: selector as Record<string, string> }),
    ...(tolerations.length > 0 && { tolerations: tolerations as Toleration[] }),
  };
  return hasFields(claim) ? claim : undefined;
}

const hasFields = (fields: object): boolean => Object.keys(fields).length > 0;

/** Containers run together, init containers one after the other before them; the overhead of the pod is added to what is more. */
function requestOf(podSpec: Fields): ResourceList | undefined {
  const total = new Map<string, bigint>();
  const add = (name: string, nano: bigint) => total.set(name, (total.get(name) ?? 0n) + nano);
  const raise = (name: string, nano: bigint) => nano > (total.get(name) ?? 0n) && total.set(name, nano);
  for (const container of recordsAt(podSpec, 'containers')) eachRequest(requestsOf(container), add);
  for (const container of recordsAt(podSpec, 'initContainers')) eachRequest(requestsOf(container), raise);
  eachRequest(recordAt(podSpec, 'overhead'), add);
  const needed = [...total].filter(([, nano]) => nano > 0n).sort(([a], [b]) => (a < b ? -1 : 1));
  if (needed.length === 0) return undefined;
  return Object.fromEntries(needed.map(([name, nano]) => [name, formatQuantity({ nano, format: formatOf(name) })]));
}

/** A limit without a request is the request, as Kubernetes has it for containers. */
const requestsOf = (container: Fields): Fields => ({
  ...recordAt(container, 'resources', 'limits'),
  ...recordAt(container, 'resources', 'requests'),
});

function eachRequest(requests: Fields, handle: (name: string, nano: bigint) => void): void {
  for (const [name, quantity] of Object.entries(requests)) {
    if (isCounted(name)) handle(name, roundedUp(parseQuantity(String(quantity)).nano, unitOf(name)));
  }
}

/** Others, such as `storage`, are not what nodes have. */
const isCounted = (name: string): boolean =>
  ['cpu', 'memory', 'ephemeral-storage', 'pods'].includes(name) ||
  name.startsWith('hugepages-') ||
  name.startsWith('attachable-volumes-') ||
  name.includes('kubernetes.io/') ||
  (name.includes('/') && !name.startsWith('requests.'));

const nanoPerUnit = 1_000_000_000n;

const unitOf = (name: string): bigint => (name === 'cpu' ? nanoPerUnit / 1000n : nanoPerUnit);

const roundedUp = (nano: bigint, unit: bigint): bigint => ((nano + unit - 1n) / unit) * unit;

const formatOf = (name: string): Quantity['format'] =>
  name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-') ? 'binary' : 'decimal';
