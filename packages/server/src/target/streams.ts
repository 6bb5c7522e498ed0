/** Recognises GET requests that open streams: exec, attach and port-forward by WebSocket (AUTHZ-2). */

import { decodeLoosely } from './path.ts';
import type { Ask, RequiredPermission } from './target.ts';

const streams = new Set(['exec', 'attach', 'portforward']);

/** KubeVirt's streams into virtual machines are opened with GET as well. */
const kubevirtGroup = 'subresources.kubevirt.io';
const kubevirt = new Set([...streams, 'console', 'vnc', 'usbredir', 'vsock']);

/** Paths that run something below a kubelet's own address, and those that lead to it through other proxies. */
const streamPaths = new Set([...streams, 'run', 'cri', 'terminal.kubesphere.io']);

/** As the receiver may parse it: kube-apiserver also splits at encoded slashes. */
const hasStreamPath = (segments: readonly string[]): boolean =>
  segments.flatMap((raw) => decodeLoosely(raw).split('/')).some((segment) => streamPaths.has(segment.toLowerCase()));

/** Proxies to pods and services lead to other programs. Those to nodes and clusters lead to exec again. */
const leadsToPrograms = new Set(['pods', 'services']);

/** A subresource that opens a stream with GET. */
const isStream = (group: string, subresource: string): boolean =>
  (group === kubevirtGroup ? kubevirt : streams).has(subresource);

/** The stream subresources of these groups. */
export function streamsOf(groups: readonly string[]): ReadonlySet<string> {
  if (groups.length === 0) return new Set();
  return groups.includes(kubevirtGroup) ? kubevirt : streams;
}

function opensStream(ask: Ask): boolean {
  if (ask.is === 'path') return hasStreamPath(ask.path.split('/'));
  const { group, resource, subresource = '', verb, rest } = ask;
  if (isStream(group, subresource)) return true;
  return (subresource === 'proxy' || verb === 'proxy') && !leadsToPrograms.has(resource) && hasStreamPath(rest);
}

/** GET and watch alone must only allow reading: a stream requires create as well. */
export const permissionFor = (
  resource: RequiredPermission['resource'],
  verb: string,
  ask: Ask,
): RequiredPermission => ({
  resource,
  verb,
  ...(verb === 'get' && opensStream(ask) ? { also: 'create' } : {}),
});
