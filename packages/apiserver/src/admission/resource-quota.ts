/** The plugin ResourceQuota: enforces the quotas of a namespace. `pkg/admission/plugin/resourcequota`. */

import { addQuantities, formatQuantity, parseQuantity, type Quantity } from '@fleet/kube/quantity.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { PodSpec } from '../kinds/pods/pod-spec.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { asStatusErrors } from '../registry/resource-context.ts';
import { decodeObject, encodeObject } from '../registry/stored-object.ts';
import type { Entry, ObjectStore } from '../store/object-store.ts';
import { notAdmitted, type Validated, type ValidatingPlugin } from './plugin.ts';
import { isInScope, isTerminating, type ResourceQuota } from './quota-scopes.ts';
import { countedNames, groupResource, isCountedKind, type Usage, usageOf } from './quota-usage.ts';

interface StoredQuota {
  entry: Entry;
  quota: ResourceQuota;
}

/** Of concurrent writes to the same quota, all but one are retried. */
const mostAttempts = 100;

/** A write that fails later has been charged, as in Kubernetes: the quota controller recounts. */
export const resourceQuota: ValidatingPlugin = {
  isAbout: (kind) => kind.namespaced && isCountedKind(kind),
  async validate(write, store) {
    if (write.namespace === undefined || !changesUsage(write)) return;
    const { namespace, charged } = write;
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const found = await quotasOf(store, namespace);
      if (found.length === 0) return;
      const all = found.flatMap(({ entry, quota }) => {
        const added = addedUsage(write, quota, charged.get(entry.key));
        return added ? [{ entry, quota, added }] : [];
      });
      refuseNegative(write);
      const changes = all.map(({ quota, ...one }) => ({ ...one, next: charge(write, quota, one.added) }));
      if (write.dryRun) return;
      let isDone = true;
      for (const { entry, added, next } of changes) {
        const update = { op: 'update', key: entry.key, value: encodeObject(next), ifRevision: entry.revision } as const;
        const { done } = await asStatusErrors(store.write(update));
        if (done) charged.set(entry.key, sum(charged.get(entry.key), added));
        else isDone = false;
      }
      if (isDone) return;
    }
    throw new StatusError(500, 'InternalError', 'Internal error occurred: resource quota evaluation timed out');
  },
};

/** The kinds of each evaluator. Objects of other kinds count the same whatever their content. */
function changesUsage({ kind, object, old, subresource }: Validated): boolean {
  if (!old) return true;
  switch (groupResource(kind)) {
    case 'pods':
      if (subresource === 'resize') return true;
      return !subresource && isTerminating(podSpecOf(object)) !== isTerminating(podSpecOf(old));
    case 'services':
      return !subresource;
    case 'persistentvolumeclaims':
      return !subresource || subresource === 'status';
    default:
      return false;
  }
}

const podSpecOf = (object: KubeObject): PodSpec => (object['spec'] ?? {}) as PodSpec;

function refuseNegative(write: Validated): void {
  const negative = [...usageOf(write.kind, write.object)].flatMap(([name, { nano }]) => (nano < 0n ? [name] : []));
  if (negative.length === 0) return;
  throw notAdmitted(write, `quota usage is negative for resource(s): ${negative.sort().join(',')}`);
}

async function quotasOf(store: ObjectStore, namespace: string): Promise<StoredQuota[]> {
  const { entries } = await asStatusErrors(store.range({ prefix: `/registry/resourcequotas/${namespace}/` }));
  return entries.map((entry) => ({ entry, quota: decodeObject(entry) as ResourceQuota }));
}

/** The usage that a quota is still to be charged; undefined if there is none. */
function addedUsage(write: Validated, quota: ResourceQuota, charged: Usage = new Map()): Usage | undefined {
  const { kind, object, old } = write;
  const { hard = {}, used = {} } = quota.status ?? {};
  const counted = countedNames(kind, hard);
  const isPod = groupResource(kind) === 'pods';
  if (counted.length === 0 || !isInScope(quota, object, isPod)) return undefined;
  const name = quota.metadata.name!;
  if (isPod) requireAmounts(write, name, counted);
  if (!counted.every((one) => Object.hasOwn(used, one))) {
    throw notAdmitted(write, `status unknown for quota: ${name}, resources: ${counted.toSorted().join(',')}`);
  }
  // An object that was not in the quota's scope before is charged in full.
  const before: Usage = old && isInScope(quota, old, isPod) ? usageOf(kind, old) : new Map();
  const usage = usageOf(kind, object);
  const added = new Map<string, Quantity>();
  for (const one of counted.sort()) {
    const amount = usage.get(one);
    if (!amount) continue;
    const nano = amount.nano - (before.get(one)?.nano ?? 0n) - (charged.get(one)?.nano ?? 0n);
    if (nano > 0n) added.set(one, { ...amount, nano });
  }
  return added.size > 0 ? added : undefined;
}

/** The quota with the added usage. */
function charge(write: Validated, quota: ResourceQuota, added: Usage): ResourceQuota {
  const { hard = {}, used = {} } = quota.status ?? {};
  const next = new Map(Array.from(added, ([one, amount]) => [one, addQuantities(parseQuantity(used[one]!), amount)]));
  const exceeded = [...added.keys()].filter((one) => next.get(one)!.nano > parseQuantity(hard[one]!).nano);
  // A status update describes existing usage: it is charged, but never refused.
  if (exceeded.length > 0 && write.subresource !== 'status') {
    const shown = (values: (one: string) => string): string => exceeded.map((one) => `${one}=${values(one)}`).join(',');
    const asked = shown((one) => formatQuantity(added.get(one)!));
    const limits = `used: ${shown((one) => used[one]!)}, limited: ${shown((one) => hard[one]!)}`;
    throw notAdmitted(write, `exceeded quota: ${quota.metadata.name!}, requested: ${asked}, ${limits}`);
  }
  const amounts = Object.fromEntries(Array.from(next, ([one, amount]) => [one, formatQuantity(amount)]));
  return { ...quota, status: { hard, used: { ...used, ...amounts } } };
}

const sum = (charged: Usage = new Map(), added: Usage): Usage => {
  const total = new Map(charged);
  for (const [name, amount] of added) {
    const standing = total.get(name);
    total.set(name, standing ? addQuantities(standing, amount) : amount);
  }
  return total;
};

/** If cpu or memory is limited, each container has to specify it. */
function requireAmounts(write: Validated, quota: string, counted: readonly string[]): void {
  const spec = podSpecOf(write.object);
  if (Object.keys(spec.resources ?? {}).length > 0) return;
  const missing = new Map<string, string[]>();
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    const alone: Usage = usageOf(write.kind, { ...write.object, spec: { containers: [container] } });
    for (const name of counted.filter((one) => /(?:cpu|memory)$/.test(one) && !alone.has(one))) {
      const without = missing.get(name);
      if (without) without.push(container.name);
      else missing.set(name, [container.name]);
    }
  }
  if (missing.size === 0) return;
  const names = [...missing.keys()].sort();
  const why = names.map((name) => `${name} for: ${[...new Set(missing.get(name))].sort().join(',')}`).join('; ');
  throw notAdmitted(write, `failed quota: ${quota}: must specify ${why}`);
}
