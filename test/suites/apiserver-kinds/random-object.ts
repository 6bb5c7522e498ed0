/** Objects of a built-in kind with all that its type allows, and words that its Tables look for. */

import type { Random } from '@fleet/differential/random.ts';
import { type Field, kindType, MessageType, type Scalar } from '@fleet/kube/protobuf/schema.ts';

const conditions = [
  ...['Ready', 'Initialized', 'PodScheduled', 'gate', 'Complete', 'Failed', 'Suspended', 'FailureTarget'],
  ...['SuccessCriteriaMet', 'Available', 'Dangling', 'Approved', 'Denied'],
];
const kinds = [
  ...['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName', 'InternalIP', 'ExternalIP'],
  ...['External', 'Object', 'Pods', 'Resource', 'ContainerResource'],
];

const words: Record<string, readonly string[]> = {
  type: [...conditions, ...kinds],
  conditionType: ['Ready', 'gate'],
  status: ['True', 'False', 'Unknown'],
  phase: ['Pending', 'Running', 'Succeeded', 'Failed', 'Bound'],
  reason: ['', 'Completed', 'SchedulingGated', 'NodeLost', 'PodInitializing', 'CrashLoopBackOff', 'Error'],
  restartPolicy: ['Always'],
  accessModes: ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'],
  apiVersion: ['v1', 'apps/v1'],
  ip: ['10.0.0.1', '10.0.0.2', 'fd00::1'],
  hostname: ['', 'a.example', 'b.example'],
  host: ['', 'a.example', 'b.example'],
  kind: ['Deployment', 'Widget'],
};

const keys = ['a', 'b', 'storage', 'limits.cpu', 'requests.cpu', 'pods'];

export function randomObject(random: Random, apiVersion: string, kind: string): Record<string, unknown> {
  const type = kindType(apiVersion, kind);
  if (!type) throw new TypeError(`there is no ${kind} in ${apiVersion}`);
  return { ...(messageOf(random, type, 0) as object), apiVersion, kind };
}

/** `index`: of those in a list no two have the same name. */
function messageOf(random: Random, type: MessageType, depth: number, index?: number): unknown {
  if (type.name === 'LabelSelectorRequirement') return requirement(random);
  switch (type.form) {
    case 'time':
    case 'microTime':
      return random.pick(['2026-01-01T00:00:00Z', '2026-02-03T04:05:06Z', '2026-11-01T00:00:00Z']);
    case 'quantity':
      return random.pick(['0', '1', '100m', '5Gi', '1500M']);
    case 'intOrString':
      return random.pick([0, 3, '50%']);
    case 'object': {
      const fields = type.fields.filter(({ jsonName }) => jsonName && isFilled(random, type, jsonName, depth));
      const entries = fields.map((field) => [field.jsonName, fieldValue(random, field, depth)] as const);
      const named = index !== undefined && type.fields.some((field) => field.jsonName === 'name' && field.type === 's');
      return { ...Object.fromEntries(entries), ...(named ? { name: keys[index] } : {}) };
    }
    // Of no Table's concern.
    default:
      return undefined;
  }
}

/** kube-apiserver prints metrics and owners without looking whether they are there. */
function isFilled(random: Random, type: MessageType, name: string, depth: number): boolean {
  if (/^MetricSpec$|MetricSource$|MetricStatus$|^OwnerReference$/.test(type.name)) return true;
  return depth < 8 && random.chance(depth < 2 ? 0.9 : 0.6) && name !== 'managedFields';
}

function fieldValue(random: Random, { holds, type, jsonName }: Field, depth: number): unknown {
  const one = (index?: number) =>
    type instanceof MessageType ? messageOf(random, type, depth + 1, index) : scalarOf(random, type, jsonName);
  switch (holds) {
    case 'list':
      // Neither empty nor of empty texts: in JSON the one is the same as none, the other is nowhere valid.
      return Array.from({ length: 1 + random.below(4) }, (_, index) => {
        const value = one(index);
        return value === '' ? 'a' : value;
      });
    case 'map':
      return Object.fromEntries(keys.filter(() => random.chance(0.4)).map((key) => [key, one()]));
    default:
      return one();
  }
}

function requirement(random: Random): object {
  const operator = random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  const values = ['x', 'y', 'z'].filter(() => random.chance(0.5));
  return { key: random.pick(['k', 'l']), operator, ...(operator.endsWith('In') ? { values: [...values, 'w'] } : {}) };
}

function scalarOf(random: Random, type: Scalar, name: string): unknown {
  switch (type) {
    case 's':
      return random.pick(words[name] ?? ['', 'a', 'b', 'c']);
    case 'b':
      return random.chance(0.5);
    case 'y':
      return random.pick(['', 'YQ==']);
    default:
      return random.below(4);
  }
}
