/** Formats a ResourceRegistry as `kubectl describe` does. */

import type { ClusterAffinity, Requirement } from '@fleet/kube/selectors/cluster-affinity.ts';
import type {
  RegistryStatus,
  ResourceRegistry,
  ResourceSelector,
  ResourceStatus,
} from '@fleet/server/registries/resource-registry.ts';
import { columns, conditionsText, fields, pairs } from './description-layout.ts';

export function describeRegistry({ metadata, spec, status }: ResourceRegistry): string {
  const { summary } = status ?? {};
  const isCounted = summary !== undefined;
  return [
    fields([
      ['Name', metadata.name],
      ['Labels', pairs(metadata.labels)],
      ['Created', metadata.creationTimestamp],
      ['Kinds', spec?.resourceSelectors?.map(selectorText).join(', ')],
      ['Clusters', affinityText(spec?.targetCluster)],
      ['Selected', isCounted ? `${summary.clusters} clusters, ${summary.resources} resources` : undefined],
      ['Synced', isCounted ? `${summary.synced} of ${summary.total}` : '<not known>'],
      ['Not served', summary?.notServed ? String(summary.notServed) : undefined],
      ['Objects', isCounted ? String(summary.objects) : undefined],
      ['Memory', isCounted ? sizeText(summary.bytes) : undefined],
    ]),
    conditionsText(status?.conditions),
    resourcesText(status),
  ].join('');
}

const selectorText = ({ apiVersion, kind, namespace }: ResourceSelector): string =>
  `${kind} (${apiVersion})${namespace ? ` in ${namespace}` : ''}`;

function affinityText(affinity: ClusterAffinity | null | undefined): string {
  const { clusterNames, exclude, labelSelector, fieldSelector } = affinity ?? {};
  const requirements = [...(labelSelector?.matchExpressions ?? []), ...(fieldSelector?.matchExpressions ?? [])];
  const conditions = [
    clusterNames?.length ? namesText(clusterNames) : '',
    exclude?.length ? `not ${namesText(exclude)}` : '',
    pairs(labelSelector?.matchLabels ?? {}) ?? '',
    ...requirements.map(requirementText),
  ].filter(Boolean);
  return conditions.join('; ') || 'all';
}

const requirementText = ({ key, operator, values }: Requirement): string =>
  `${key} ${operator}${values?.length ? ` (${namesText(values)})` : ''}`;

const mostNames = 10;

const namesText = (names: readonly string[]): string =>
  `${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ` and ${names.length - mostNames} more` : ''}`;

function resourcesText({ resources = [], omittedResources = 0 }: RegistryStatus = {}): string {
  if (resources.length === 0) return '';
  const heading = ['Cluster', 'Resource', 'State', 'Objects', 'Memory', 'Last event', 'Error'];
  const omitted = omittedResources > 0 ? `  and ${omittedResources} more\n` : '';
  return `Resources:\n${columns([heading, ...resources.map(rowOf)])}${omitted}`;
}

function rowOf(row: ResourceStatus): string[] {
  const { cluster, apiVersion, resource, kind, namespace, synced, reason, objects, bytes, lastEventTime } = row;
  const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : '';
  return [
    cluster,
    `${resource ?? kind}${group}${namespace === undefined ? '' : ` in ${namespace}`}`,
    synced ? 'Synced' : (reason ?? ''),
    String(objects),
    sizeText(bytes),
    lastEventTime ?? '<none>',
    oneLine(row.lastError ?? ''),
  ];
}

/** Error messages come from members: line breaks and terminal control characters are replaced. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ');

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}
