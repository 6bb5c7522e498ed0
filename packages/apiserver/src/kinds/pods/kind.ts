/** Pods as they begin: nobody has looked at them yet, and what they ask for tells how much they may count on. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { printedColumns } from '../printing/printed-columns.ts';
import { fieldsOf } from '../selectable-fields.ts';
import { served } from '../served.ts';
import { defaultPod } from './pod-defaults.ts';

interface Resources {
  requests?: Record<string, string>;
  limits?: Record<string, string>;
}

interface Containers {
  /** Null where Go writes a list that nothing was put into. */
  containers?: { resources?: Resources }[] | null;
  initContainers?: { resources?: Resources }[];
}

const counted = ['cpu', 'memory'] as const;

function serviceClass({ spec }: KubeObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const { containers, initContainers = [] } = (spec ?? {}) as Containers;
  const all = [...(containers ?? []), ...initContainers].map(({ resources = {} }) => resources);
  const asks = ({ requests = {}, limits = {} }: Resources) =>
    counted.some((name) => name in requests || name in limits);
  if (!all.some(asks)) return 'BestEffort';
  const isFull = ({ limits = {}, requests = limits }: Resources) =>
    counted.every((name) => limits[name] !== undefined && (requests[name] ?? limits[name]) === limits[name]);
  return all.every(isFull) ? 'Guaranteed' : 'Burstable';
}

export const pods: PrintedKind = {
  ...served('', 'pods'),
  strategy: {
    complete: defaultPod,
    selectableFields: fieldsOf('', 'pods')!,
    prepareForCreate: (pod) => {
      pod['status'] = { phase: 'Pending', qosClass: serviceClass(pod) };
    },
  },
  columns: printedColumns('', 'v1', 'pods'),
};
