/** The text of `fleet describe cluster`, laid out as by `kubectl describe`. */

import { type Cluster, isActive } from './cluster.ts';
import { columns, conditionsText, fields, pairs } from './description-layout.ts';

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
      // Other endpoints and lists leave it out, whatever its conditions are.
      ['Active', isActive(cluster) ? undefined : 'false: taken out of all views by an annotation'],
      ['Endpoint', spec.apiEndpoint],
      ['Provider', spec.provider],
      ['Region', spec.region],
      ['Version', status?.kubernetesVersion],
      ['Nodes', nodes && `${nodes.readyNum ?? 0} ready of ${nodes.totalNum ?? 0}`],
      ['Taints', taints.join(', ') || '<none>'],
      ['APIs', served && `${served.length} group versions`],
    ]),
    conditionsText(status?.conditions),
    resources(cluster),
  ].join('');
}
