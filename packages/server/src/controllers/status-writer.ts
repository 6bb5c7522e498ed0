/** Writes the product's conditions, summaries and taints of a member into its Cluster, only where they differ from what is there. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { type Cluster, type ClusterStatus, type Condition, clustersPath, type Taint } from '../members/cluster.ts';

export type ConditionUpdate = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

export interface StatusUpdate {
  condition?: ConditionUpdate;
  facts?: Omit<ClusterStatus, 'conditions'>;
  /** The product's own taints that the Cluster should have. Its other own taints are removed. */
  taints?: readonly string[];
}

/** Karmada's taints, all with the effect NoSchedule. */
export const ownTaints = ['cluster.karmada.io/not-ready', 'cluster.karmada.io/unreachable'] as const;
const effect = 'NoSchedule';

const attempts = 5;

/** `known` may be slightly outdated. It saves a read of the Cluster if nothing has to be written. */
export async function writeStatusUpdate(
  client: KubeClient,
  known: Cluster,
  update: StatusUpdate,
  signal: AbortSignal,
): Promise<boolean> {
  if (!differs(known, update)) return false;
  const path = `${clustersPath}/${known.metadata.name}`;
  for (let attempt = 1; ; attempt++) {
    const cluster = await client.get<Cluster>(path, signal);
    try {
      return await writeDifference(client, path, cluster, update, signal);
    } catch (error) {
      // There was another write in between: read again, so that nothing of it is lost.
      if (!isStatus(error, 409) || attempt === attempts) throw error;
    }
  }
}

const differs = (cluster: Cluster, update: StatusUpdate): boolean =>
  statusPatch(cluster, update) !== undefined || taintsPatch(cluster, update) !== undefined;

async function writeDifference(
  client: KubeClient,
  path: string,
  cluster: Cluster,
  update: StatusUpdate,
  signal: AbortSignal,
): Promise<boolean> {
  const taints = taintsPatch(cluster, update);
  const { resourceVersion } = cluster.metadata;
  let current = cluster;
  if (taints) {
    current = await client.patch<Cluster>(path, 'merge', { metadata: { resourceVersion }, spec: { taints } }, signal);
  }
  const status = statusPatch(cluster, update);
  if (status) {
    const metadata = { resourceVersion: current.metadata?.resourceVersion };
    await client.patch(`${path}/status`, 'merge', { metadata, status }, signal);
  }
  return taints !== undefined || status !== undefined;
}

function statusPatch({ status = {} }: Cluster, { condition, facts }: StatusUpdate): Partial<ClusterStatus> | undefined {
  const changed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(facts ?? {})) {
    const known = status[key as keyof ClusterStatus];
    if (value !== undefined && !same(known, value)) changed[key] = overwriting(known, value);
  }
  const conditions = condition && withCondition(status.conditions ?? [], condition);
  if (conditions) changed['conditions'] = conditions;
  return Object.keys(changed).length > 0 ? changed : undefined;
}

/** Undefined if the condition is the same already. */
function withCondition(conditions: readonly Condition[], update: ConditionUpdate): Condition[] | undefined {
  const known = conditions.find(({ type }) => type === update.type);
  const { status, reason, message } = update;
  if (known && known.status === status && known.reason === reason && known.message === message) return undefined;
  const lastTransitionTime = known?.status === status ? known.lastTransitionTime : now();
  return [...conditions.filter(({ type }) => type !== update.type), { ...update, lastTransitionTime }];
}

function taintsPatch({ spec }: Cluster, { taints: desired }: StatusUpdate): Taint[] | undefined {
  if (!desired) return undefined;
  const known = spec.taints ?? [];
  const isOurs = (taint: Taint) => taint.effect === effect && ownTaints.some((key) => key === taint.key);
  const kept = known.filter((taint) => !isOurs(taint) || desired.includes(taint.key));
  const missing = desired.filter((key) => !kept.some((taint) => isOurs(taint) && taint.key === key));
  if (missing.length === 0 && kept.length === known.length) return undefined;
  return [...kept, ...missing.map((key) => ({ key, effect, timeAdded: now() }))];
}

const now = (): string => timeText(Date.now());

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A merge patch keeps keys that it does not name, so removed ones are set to null. */
function overwriting(known: unknown, value: unknown): unknown {
  if (!isObject(known) || !isObject(value)) return value;
  const gone = Object.keys(known).filter((key) => !Object.hasOwn(value, key));
  const entries = Object.entries(value).map(([key, one]) => [key, overwriting(known[key], one)]);
  return Object.fromEntries([...entries, ...gone.map((key) => [key, null])]);
}

/** Compared without the order of keys, which servers do not keep. */
function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => same(item, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}
