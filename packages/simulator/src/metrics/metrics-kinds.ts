/** The kinds of `metrics.k8s.io/v1beta1` as in metrics-server: the objects, and the columns of their Tables. */

import type { ComputedKind } from '@fleet/apiserver/http/computed-resource.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import type { Column } from '@fleet/apiserver/registry/printed-kind.ts';
import { addQuantities, formatQuantity, parseQuantity } from '@fleet/kube/quantity.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { type Usage, window, windowStart } from './usage.ts';

interface UsageList {
  cpu: string;
  memory: string;
}

interface NodeMetrics extends KubeObject {
  usage: UsageList;
}

interface PodMetrics extends KubeObject {
  containers: { name: string; usage: UsageList }[];
}

const version = 'metrics.k8s.io/v1beta1';

const listOf = ({ nanoCores, kibibytes }: Usage): UsageList => ({
  cpu: formatQuantity({ nano: nanoCores, format: 'decimal' }),
  memory: formatQuantity({ nano: kibibytes * 1024n * 1_000_000_000n, format: 'binary' }),
});

const head = (kind: string, { name, namespace, labels }: KubeObject['metadata'], now: number) => ({
  kind,
  apiVersion: version,
  metadata: {
    name: name!,
    ...(namespace ? { namespace } : {}),
    creationTimestamp: timeText(now),
    ...(labels ? { labels } : {}),
  },
  timestamp: timeText(windowStart(now)),
  window: `${window / 1000}s`,
});

export const nodeMetrics = ({ metadata }: KubeObject, usage: Usage, now: number): NodeMetrics => ({
  ...head('NodeMetrics', metadata, now),
  usage: listOf(usage),
});

export const podMetrics = (
  { metadata }: KubeObject,
  containers: readonly { name: string; usage: Usage }[],
  now: number,
): PodMetrics => ({
  ...head('PodMetrics', metadata, now),
  containers: containers.map(({ name, usage }) => ({ name, usage: listOf(usage) })),
});

const columnsOf = (usagesOf: (object: KubeObject) => readonly UsageList[]): Column[] => {
  const sum = (object: KubeObject, name: keyof UsageList): string => {
    const [first, ...more] = usagesOf(object).map((usage) => parseQuantity(usage[name]));
    return first ? formatQuantity(more.reduce(addQuantities, first)) : '0';
  };
  const amount = (name: keyof UsageList): Column => ({
    name,
    type: 'string',
    format: 'quantity',
    description: '',
    cell: (object) => sum(object, name),
  });
  return [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: 'Name of the resource',
      cell: ({ metadata }) => metadata.name ?? '',
    },
    amount('cpu'),
    amount('memory'),
    {
      name: 'Window',
      type: 'string',
      format: 'duration',
      description: '',
      cell: (object) => String(object['window']),
    },
  ];
};

const group = { group: 'metrics.k8s.io', version: 'v1beta1' };

export const nodeMetricsKind: ComputedKind = {
  ...group,
  resource: 'nodes',
  kind: 'NodeMetrics',
  namespaced: false,
  columns: columnsOf((object) => [(object as NodeMetrics).usage]),
};

export const podMetricsKind: ComputedKind = {
  ...group,
  resource: 'pods',
  kind: 'PodMetrics',
  namespaced: true,
  columns: columnsOf((object) => (object as PodMetrics).containers.map(({ usage }) => usage)),
};
