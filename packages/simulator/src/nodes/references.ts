/** Finds missing ConfigMaps and Secrets that a pod requires: for its mounts, and for variables of its containers. */

import { pathSegmentFaults } from '@fleet/apiserver/names/name-rules.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import { pathSegment } from '../path-segment.ts';
import type { Container, Pod, Volume } from '../pods/pod.ts';

type ReferenceKind = 'ConfigMap' | 'Secret';

interface Reference {
  kind: ReferenceKind;
  name: string;
  keys: readonly string[];
  /** A mount, or a variable of a container; each has one value. */
  in: { volume: string } | { container: string };
}

/** The errors that keep the pod, or a container, from starting. */
export interface Missing {
  /** Messages by volume. */
  volumes: ReadonlyMap<string, string>;
  /** Messages by container. */
  containers: ReadonlyMap<string, string>;
}

const paths: Record<ReferenceKind, string> = { ConfigMap: 'configmaps', Secret: 'secrets' };
/** `pkg/volume/configmap/configmap.go` and `pkg/volume/secret/secret.go`. */
const absentKey: Record<ReferenceKind, string> = {
  ConfigMap: 'configmap references non-existent config key',
  Secret: 'references non-existent secret key',
};
const singular: Record<ReferenceKind, string> = { ConfigMap: 'configmap', Secret: 'secret' };

function referencesOf({ spec }: Pod): Reference[] {
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  return [...(spec.volumes ?? []).flatMap(ofVolume), ...containers.flatMap(ofContainer)];
}

function ofVolume({ name: volume, configMap, secret }: Volume): Reference[] {
  const itemKeys = (items: { key: string }[] = []) => items.map(({ key }) => key);
  return [
    ...(configMap && !configMap.optional
      ? [{ kind: 'ConfigMap' as const, name: configMap.name ?? '', keys: itemKeys(configMap.items), in: { volume } }]
      : []),
    ...(secret && !secret.optional
      ? [{ kind: 'Secret' as const, name: secret.secretName ?? '', keys: itemKeys(secret.items), in: { volume } }]
      : []),
  ];
}

function ofContainer({ name: container, env = [], envFrom = [] }: Container): Reference[] {
  const of = (
    kind: ReferenceKind,
    one: { name?: string; key?: string; optional?: boolean } | undefined,
  ): Reference[] =>
    one && !one.optional ? [{ kind, name: one.name ?? '', keys: one.key ? [one.key] : [], in: { container } }] : [];
  return [
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [...of('ConfigMap', configMapRef), ...of('Secret', secretRef)]),
    ...env.flatMap(({ valueFrom }) => [
      ...of('ConfigMap', valueFrom?.configMapKeyRef),
      ...of('Secret', valueFrom?.secretKeyRef),
    ]),
  ];
}

/** Undefined if nothing is missing. Most pods have no references, and cost no request. */
export async function missingOf(pod: Pod, client: KubeClient, signal: AbortSignal): Promise<Missing | undefined> {
  const references = referencesOf(pod);
  if (references.length === 0) return undefined;
  const messages = await messagesOf(references, pod.metadata.namespace ?? '', client, signal);
  const volumes = new Map<string, string>();
  const containers = new Map<string, string>();
  for (const { in: place } of references) {
    const message = messages.get(place);
    if (message === undefined) continue;
    if ('volume' in place) volumes.set(place.volume, message);
    else if (!containers.has(place.container)) containers.set(place.container, message);
  }
  return volumes.size + containers.size > 0 ? { volumes, containers } : undefined;
}

/** Each object is read once, however many variables refer to it. */
async function messagesOf(
  references: readonly Reference[],
  namespace: string,
  client: KubeClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<Reference['in'], string>> {
  const messages = new Map<Reference['in'], string>();
  const pace = new Pace();
  for (const same of Map.groupBy(references, ({ kind, name }) => `${kind}/${name}`).values()) {
    const { kind, name } = same[0]!;
    const has = await keysOf(kind, name, namespace, client, signal);
    for (const reference of same) {
      const message = whyMissing(reference, has, namespace);
      if (message !== undefined) messages.set(reference.in, message);
    }
    if (pace.isDue) await pace.rest();
  }
  return messages;
}

/** Undefined if the object does not exist. */
async function keysOf(
  kind: ReferenceKind,
  name: string,
  namespace: string,
  client: KubeClient,
  signal: AbortSignal,
): Promise<object | undefined> {
  // No object can have such a name, and the API server refuses the request.
  if (pathSegmentFaults(name).length > 0) return undefined;
  try {
    const path = `/api/v1/namespaces/${namespace}/${paths[kind]}/${pathSegment(name)}`;
    const found = await client.get<{ data?: object; binaryData?: object }>(path, signal);
    return { ...found.data, ...found.binaryData };
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    return undefined;
  }
}

function whyMissing({ kind, name, keys, in: place }: Reference, has: object | undefined, namespace: string) {
  if (!has) return `${singular[kind]} "${name}" not found`;
  const key = keys.find((one) => !Object.hasOwn(has, one));
  if (key === undefined) return undefined;
  return 'volume' in place ? `${absentKey[kind]}: ${key}` : `couldn't find key ${key} in ${kind} ${namespace}/${name}`;
}
