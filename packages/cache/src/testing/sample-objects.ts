/** Objects and rows as members write them, for tests. */

import type { FeedSpec } from '../messages.ts';

export const podFeed: FeedSpec = {
  id: 'm1 pods',
  cluster: 'm1',
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
};

export interface Sample {
  key: string;
  version: number;
  uid?: string;
  labels?: Readonly<Record<string, string>>;
  phase?: string;
  node?: string;
  /** The length of the padding, which makes objects larger. */
  padding?: number;
  /** Whether keys are sorted, as those of custom objects are. */
  sorted?: boolean;
}

const managedFields = (name: string, version: number) => [
  {
    manager: 'kube-controller-manager',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, [`f:${name}`]: {} } }, 'f:spec': { 'f:containers': {} } },
  },
  { manager: `kubelet-${version}`, operation: 'Update', apiVersion: 'v1', subresource: 'status' },
];

/** With its kind, as in rows and events. */
export function sampleObject(sample: Sample): string {
  const { key, version, uid = `uid-${key}`, labels = {}, phase = 'Running', node = 'n1', padding = 0 } = sample;
  const [name = '', namespace] = key.split('/').reverse();
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid,
    resourceVersion: String(version),
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    managedFields: managedFields(name, version),
  };
  const spec = { nodeName: node, containers: [{ name: 'c', image: 'x'.repeat(padding) }] };
  const object = { kind: 'Pod', apiVersion: 'v1', metadata, spec, status: { phase, podIP: `10.0.0.${version % 256}` } };
  return sample.sorted ? JSON.stringify(sortedKeys(object)) : JSON.stringify(object);
}

/** With sorted keys, as kube-apiserver writes custom objects. */
const sortedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortedKeys(inner)]));
};

export const sampleColumns = [
  { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 },
  { name: 'Status', type: 'string', format: '', description: '', priority: 0 },
];

export const cellsOf = ({ key, phase = 'Running' }: Sample): string => JSON.stringify([key.split('/').at(-1), phase]);

export const sampleRow = (sample: Sample): string => `{"cells":${cellsOf(sample)},"object":${sampleObject(sample)}}`;

/** As kube-apiserver shows it in a list of a built-in kind. */
export const inList = (object: string): string => object.replace('"kind":"Pod","apiVersion":"v1",', '');
