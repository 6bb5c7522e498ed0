/** A Cluster in words, laid out as `kubectl describe` does. */

import type { Cluster } from './cluster.ts';

type Field = [name: string, value: string | undefined];

const fields = (list: readonly Field[], indent = ''): string => {
  const known = list.filter((field): field is [string, string] => field[1] !== undefined && field[1] !== '');
  const width = Math.max(...known.map(([name]) => name.length)) + 3;
  return known.map(([name, value]) => `${indent}${`${name}:`.padEnd(width)}${value}\n`).join('');
};

const pairs = (map: Record<string, string> | undefined): string | undefined =>
  map &&
  Object.entries(map)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');

const columns = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(
      (row) =>
        `  ${row
          .map((cell, at) => cell.padEnd(widths[at]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
};

function conditions({ status }: Cluster): string {
  const known = status?.conditions ?? [];
  if (known.length === 0) return 'Conditions:  <none>\n';
  const rows = known.map((condition) => [
    condition.type,
    condition.status,
    condition.reason,
    condition.lastTransitionTime ?? '',
    condition.message,
  ]);
  return `Conditions:\n${columns([['Type', 'Status', 'Reason', 'Since', 'Message'], ...rows])}`;
}

function resources({ status }: Cluster): string {
  const { allocatable, allocated = {}, allocating = {} } = status?.resourceSummary ?? {};
  if (!allocatable) return '';
  const amount = (of: object, name: string) => String(new Map(Object.entries(of)).get(name) ?? 0);
  const rows = Object.keys(allocatable)
    .sort()
    .map((name) => [name, ...[allocatable, allocated, allocating].map((of) => amount(of, name))]);
  return `Resources:\n${columns([['Name', 'Allocatable', 'Allocated', 'Allocating'], ...rows])}`;
}

export function describeCluster(cluster: Cluster): string {
  const { metadata, spec, status } = cluster;
  const nodes = status?.nodeSummary;
  const served = status?.apiEnablements;
  const taints = (spec.taints ?? []).map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);
  return [
    fields([
      ['Name', metadata.name],
      ['Labels', pairs(metadata.labels)],
      ['Created', metadata.creationTimestamp],
      ['Id', spec.id],
      ['Mode', spec.syncMode],
      ['Endpoint', spec.apiEndpoint],
      ['Provider', spec.provider],
      ['Region', spec.region],
      ['Version', status?.kubernetesVersion],
      ['Nodes', nodes && `${nodes.readyNum ?? 0} ready of ${nodes.totalNum ?? 0}`],
      ['Taints', taints.join(', ') || '<none>'],
      ['APIs', served && `${served.length} group versions`],
    ]),
    conditions(cluster),
    resources(cluster),
  ].join('');
}
