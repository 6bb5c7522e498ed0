/** Writes to members from a seed: objects come, change, move in and out of selectors, go, and come again under the same name. */

import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import type { Random } from '@fleet/differential/random.ts';
import type { SimulatedFleet } from '../fleet.ts';
import { collectionOf, namespaces, parts, type Resource, resources, sizes } from './kinds.ts';
import { membersWithWidgets } from './scene.ts';

/** Names with dots sort between those without. */
export const names = ['object-1', 'object-10', 'object.2', 'object.2.x', 'object0', 'z'];
const largeText = 'x'.repeat(300_000);

export interface ChurnOptions {
  /** Members that nothing is written to. */
  stopped: ReadonlySet<string>;
  /** All resources if left out. */
  of?: readonly Resource[] | undefined;
}

/** One write to one member. What the member refuses is part of it: the object is gone or there already. */
export async function churn(
  fleet: SimulatedFleet,
  random: Random,
  { stopped, of = resources }: ChurnOptions,
): Promise<void> {
  const member = random.pick([...fleet.members.keys()]);
  const resource = random.weighted(
    of.filter(({ isWritten }) => isWritten).map((one) => [one.plural === 'configmaps' ? 4 : 1, one] as const),
  );
  const [namespace, name] = [random.pick(namespaces), random.pick(names)];
  const act = random.weighted(acts);
  const drawn = {
    part: random.pick(parts),
    value: random.below(1_000),
    isLarge: random.chance(0.03),
    size: random.pick(sizes),
  };
  if (stopped.has(member)) return;
  if (resource.kind === 'Widget' && !membersWithWidgets.includes(member)) return;
  const { client } = fleet.members.get(member)!;
  await act(client, collectionOf(resource, namespace), objectOf(resource, name, drawn)).catch((error: unknown) => {
    // 503: on a busy machine a large object takes longer than its client waits. It may have been written or not.
    if (![404, 409, 422, 503].some((code) => isStatus(error, code))) throw error;
  });
}

type Act = (client: KubeClient, collection: string, object: KubeObject) => Promise<unknown>;

const create: Act = (client, collection, object) => client.create(collection, object);
const change: Act = (client, collection, { metadata, ...rest }) =>
  client.patch(`${collection}/${metadata.name}`, 'merge', { ...rest, metadata: { labels: metadata.labels } });
const remove: Act = (client, collection, { metadata }) =>
  client.delete(`${collection}/${metadata.name}`, { gracePeriodSeconds: 0 });
/** Without its label it leaves every selection by it. */
const unlabel: Act = (client, collection, { metadata }) =>
  client.patch(`${collection}/${metadata.name}`, 'merge', { metadata: { labels: { part: null } } });
const again: Act = async (client, collection, object) => {
  await remove(client, collection, object);
  await create(client, collection, object);
};

const acts: readonly (readonly [number, Act])[] = [
  [5, create],
  [5, change],
  [2, remove],
  [1, unlabel],
  [1, again],
];

interface Drawn {
  part: string;
  value: number;
  isLarge: boolean;
  size: string;
}

function objectOf({ kind }: Resource, name: string, { part, value, isLarge, size }: Drawn): KubeObject {
  const metadata = { name, labels: { part, app: value % 2 === 0 ? 'web' : 'db' } };
  return { metadata, ...contentOf(kind, value, isLarge, size) };
}

const containers = (value: number) => [{ name: 'web', image: `nginx:${value}` }];

function contentOf(kind: string, value: number, isLarge: boolean, size: string): object {
  switch (kind) {
    case 'ConfigMap':
      return { data: { value: String(value), ...(isLarge ? { large: largeText } : {}) } };
    case 'Pod':
      return { spec: { containers: containers(value), restartPolicy: value % 3 === 0 ? 'Never' : 'Always' } };
    case 'Deployment': {
      const labels = { of: 'deployment' };
      const template = { metadata: { labels }, spec: { containers: containers(value) } };
      return { spec: { replicas: value % 3, selector: { matchLabels: labels }, template } };
    }
    case 'Service':
      return { spec: { type: value % 2 === 0 ? 'ClusterIP' : 'NodePort', ports: [{ port: 80 }] } };
    case 'Event':
      return {
        involvedObject: { kind: 'ConfigMap', name: 'object-1' },
        reason: 'Tested',
        type: value % 2 === 0 ? 'Normal' : 'Warning',
        message: String(value),
      };
    case 'Widget':
      return { apiVersion: 'example.dev/v1', kind, spec: { size, count: value } };
    default:
      throw new Error(`no content for ${kind}`);
  }
}
