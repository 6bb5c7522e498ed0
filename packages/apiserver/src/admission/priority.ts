/** The plugin Priority: a pod gets the priority of its class. */

import type { PodSpec } from '../kinds/pods/pod-spec.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { type Admitted, notAdmitted, type Plugin } from './plugin.ts';
import { storedObject, storedObjects } from './stored-objects.ts';

const classes = '/registry/priorityclasses/';

interface PriorityClass extends KubeObject {
  value?: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}

export const priority: Plugin = {
  resources: ['pods', 'priorityclasses.scheduling.k8s.io'],
  async admit(write, store) {
    if (write.subresource) return;
    if (write.kind.resource === 'priorityclasses') await refuseSecondDefault(write, store);
    else if (write.old) keep(write.object, write.old);
    else await resolve(write, store);
  },
};

/** If there are several, the one with the lowest value. */
async function defaultClass(store: ObjectStore): Promise<PriorityClass | undefined> {
  const all = (await storedObjects(store, classes)) as PriorityClass[];
  return all.filter(({ globalDefault }) => globalDefault).toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0))[0];
}

async function refuseSecondDefault(write: Admitted, store: ObjectStore): Promise<void> {
  if (!write.object['globalDefault']) return;
  const standing = await defaultClass(store);
  if (!standing || (write.old && standing.metadata.name === write.object.metadata.name)) return;
  const name = standing.metadata.name!;
  throw notAdmitted(write, `PriorityClass ${name} is already marked as default. Only one default can exist`);
}

/** Keeps the values from the creation. */
function keep(pod: KubeObject, old: KubeObject): void {
  const { priority: value, preemptionPolicy } = (old['spec'] ?? {}) as PodSpec;
  const spec = { ...(pod['spec'] as PodSpec | undefined) };
  if (value !== undefined) spec.priority ??= value;
  if (preemptionPolicy !== undefined) spec.preemptionPolicy ??= preemptionPolicy;
  pod['spec'] = spec;
}

async function resolve(write: Admitted, store: ObjectStore): Promise<void> {
  const spec = { ...(write.object['spec'] as PodSpec | undefined) };
  const found = spec.priorityClassName
    ? ((await storedObject(store, `${classes}${spec.priorityClassName}`)) as PriorityClass | undefined)
    : await defaultClass(store);
  if (!found && spec.priorityClassName)
    throw notAdmitted(write, `no PriorityClass with name ${spec.priorityClassName} was found`);
  if (found) spec.priorityClassName = found.metadata.name!;
  const value = found?.value ?? 0;
  // A class that was stored before the default existed has no policy.
  const policy = found && !found.preemptionPolicy ? undefined : (found?.preemptionPolicy ?? 'PreemptLowerPriority');
  const computed = 'must not be provided in pod spec; priority admission controller computed';
  if (spec.priority !== undefined && spec.priority !== value)
    throw notAdmitted(
      write,
      `the integer value of priority (${spec.priority}) ${computed} ${value} from the given PriorityClass name`,
    );
  spec.priority = value;
  if (policy !== undefined) {
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy)
      throw notAdmitted(
        write,
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) ${computed} ${policy} from the given PriorityClass name`,
      );
    spec.preemptionPolicy = policy;
  }
  write.object['spec'] = spec;
}
