/** Reads by their method that are none: by WebSocket, exec, attach and port-forward are opened with GET (AUTHZ-2). */

import { decodeLoosely } from './path.ts';
import type { Ask, Right } from './target.ts';

const streams = new Set(['exec', 'attach', 'portforward']);

/** KubeVirt's are GET as well, into virtual machines. */
const kubevirtGroup = 'subresources.kubevirt.io';
const kubevirt = new Set([...streams, 'console', 'vnc', 'usbredir', 'vsock']);

/** What runs something below a kubelet's own address, and what leads to it below other proxies. */
const streamPaths = new Set([...streams, 'run', 'cri', 'terminal.kubesphere.io']);

/** As whoever is behind may read it: encoded slashes are slashes to kube-apiserver. */
const hasStreamPath = (segments: readonly string[]): boolean =>
  segments.flatMap((raw) => decodeLoosely(raw).split('/')).some((segment) => streamPaths.has(segment.toLowerCase()));

/** Proxies to pods and services lead to programs that are their own; those to nodes and clusters lead to exec again. */
const leadsElsewhere = new Set(['pods', 'services']);

/** A subresource that GET opens a stream of. */
const isStream = (group: string, subresource: string): boolean =>
  (group === kubevirtGroup ? kubevirt : streams).has(subresource);

/** All of these groups'. */
export function streamsOf(groups: readonly string[]): ReadonlySet<string> {
  if (groups.length === 0) return new Set();
  return groups.includes(kubevirtGroup) ? kubevirt : streams;
}

function opensStream(ask: Ask): boolean {
  if (ask.is === 'path') return hasStreamPath(ask.path.split('/'));
  const { group, resource, subresource = '', verb, rest } = ask;
  if (isStream(group, subresource)) return true;
  return (subresource === 'proxy' || verb === 'proxy') && !leadsElsewhere.has(resource) && hasStreamPath(rest);
}

/** Whoever may only get, list and watch must only read: such a request needs create as well. */
export const rightFor = (resource: Right['resource'], verb: string, ask: Ask): Right => ({
  resource,
  verb,
  ...(verb === 'get' && opensStream(ask) ? { also: 'create' } : {}),
});
