/** Gets a pod by its name and chooses its container, with kubectl's rules and messages. */

import { errorOf } from '@fleet/client/kube-client.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { UsageError } from './errors.ts';

interface Container {
  name: string;
}

export interface Pod {
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { containers: Container[]; initContainers?: Container[]; ephemeralContainers?: Container[] };
  status?: { phase?: string };
}

const defaultContainer = 'kubectl.kubernetes.io/default-container';

/** `x`, `pod/x` or `pods/x`. */
export function podPath(name: string, namespace: string): string {
  const [, , plain = name] = /^(pods?|po)\/(.+)$/.exec(name) ?? [];
  if (!plain || plain.includes('/')) throw new UsageError(`"${name}" is no name of a pod`);
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(plain)}`;
}

export async function readPod(upstream: Upstream, path: string, signal: AbortSignal): Promise<Pod> {
  const headers = { accept: 'application/json', 'user-agent': 'fleet-cli' };
  const reply = await upstream.call({ method: 'GET', path, headers, signal });
  const bytes = await reply.body.bytes();
  if (reply.status !== 200) throw errorOf(reply.status, bytes);
  return JSON.parse(bytes.toString()) as Pod;
}

/** `warn` gets a message when the first of several is taken. */
export function containerOf(pod: Pod, asked: string | undefined, warn: (text: string) => void): string {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  const all = [...containers, ...initContainers, ...ephemeralContainers];
  const names = [
    ...containers.map(({ name }) => name),
    ...ephemeralContainers.map(({ name }) => `${name} (ephem)`),
    ...initContainers.map(({ name }) => `${name} (init)`),
  ].join(', ');
  const desired = asked ?? pod.metadata.annotations?.[defaultContainer];
  if (desired) {
    if (all.some(({ name }) => name === desired)) return desired;
    throw new Error(`container ${desired} is not valid for pod ${pod.metadata.name} out of: ${names}`);
  }
  const [first] = containers;
  if (!first) throw new Error(`pod ${pod.metadata.name} does not have any containers`);
  if (all.length > 1) warn(`Defaulted container "${first.name}" out of: ${names}`);
  return first.name;
}
