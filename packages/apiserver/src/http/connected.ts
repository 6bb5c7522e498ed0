/** Connect subresources, such as exec and proxy, whose requests are forwarded to a pod. */

import { type ResourceRequest, readRequestInfo } from '@fleet/kube/request-info.ts';
import { builtInResources } from '../schema/built-in.ts';
import type { Subresource } from '../schema/resource.ts';

/** A Map, as the resource is an arbitrary text of a URL and is looked up before authentication. */
const connected: ReadonlyMap<string, readonly string[]> = new Map([
  ['nodes', ['proxy']],
  ['pods', ['attach', 'exec', 'log', 'portforward', 'proxy']],
  ['services', ['proxy']],
]);

type Place = Pick<ResourceRequest, 'group' | 'version' | 'resource'>;

export const isConnected = ({ group, version, resource, subresource }: ResourceRequest): boolean =>
  group === '' && version === 'v1' && (connected.get(resource)?.includes(subresource ?? '') ?? false);

/** Their discovery documents. */
export function connectedSubresources({ group, version, resource }: Place): readonly Subresource[] {
  if (group !== '' || version !== 'v1') return [];
  const found = builtInResources().find((one) => one.group === '' && one.version === 'v1' && one.name === resource);
  return found?.subresources?.filter(({ name }) => connected.get(resource)?.includes(name)) ?? [];
}

/** Whether a request with this path may be an upgrade. */
export function isConnectedUrl(url: string): boolean {
  const segments = url.split('?', 1)[0]!.split('/').slice(1);
  const ask = readRequestInfo('GET', segments, new URLSearchParams());
  return ask !== undefined && isConnected(ask);
}
