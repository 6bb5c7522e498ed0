/** Objects without what two clusters can never share: uids, times, versions, addresses, random names. */

import type { GeneratedNames } from './generated-names.ts';

export interface Hidden {
  names: GeneratedNames;
  /** The scheduler may choose among nodes: which one it took is left out. */
  nodes: boolean;
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\d(?:T| )\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| \+0000 UTC)/g;
const address = /\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
const serviceAccountVolume = /\bkube-api-access-[a-z0-9]{5}\b/g;
const nodePort = /:3[0-2]\d{3}\//g;
const node = /\bscripts-node-\d+\b/g;

export function normalText(text: string, { names, nodes }: Hidden): string {
  const plain = names
    .hide(text)
    .replace(uid, '<uid>')
    .replace(time, '<time>')
    .replace(address, '<address>')
    .replace(serviceAccountVolume, 'kube-api-access-*')
    .replace(nodePort, ':<port>/');
  return nodes ? plain.replace(node, '<node>') : plain;
}

/** What each cluster chooses at random, or counts for itself. */
const versionFields = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'nodePort']);

export function normal(value: unknown, hidden: Hidden): unknown {
  if (typeof value === 'string') return normalText(value, hidden);
  if (Array.isArray(value)) return value.map((item) => normal(item, hidden));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !versionFields.has(key))
    .map(([key, item]) => [normalText(key, hidden), normal(item, hidden)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** One line for each value, as in `.spec.replicas=3`. */
export function linesOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}=${JSON.stringify(value)}`];
  const entries = Array.isArray(value) ? value.map((item, at) => [`[${at}]`, item] as const) : Object.entries(value);
  if (entries.length === 0) return [`${path}=${Array.isArray(value) ? '[]' : '{}'}`];
  return entries.flatMap(([key, item]) => linesOf(item, Array.isArray(value) ? `${path}${key}` : `${path}.${key}`));
}
