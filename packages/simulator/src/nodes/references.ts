/** ConfigMaps and Secrets that a pod cannot do without: those it mounts, and those its containers take variables from. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { Container, Pod, Volume } from '../pod.ts';

type ReferenceKind = 'ConfigMap' | 'Secret';

interface Reference {
  kind: ReferenceKind;
  name: string;
  keys: readonly string[];
  /** A mount, or a variable of a container. */
  in: { volume: string } | { container: string };
}

/** Why the pod, or a container, cannot go on. */
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
  const keysOf = (items: { key: string }[] = []) => items.map(({ key }) => key);
  const where = { volume };
  return [
    ...(configMap && !configMap.optional
      ? [{ kind: 'ConfigMap' as const, name: configMap.name ?? '', keys: keysOf(configMap.items), in: where }]
      : []),
    ...(secret && !secret.optional
      ? [{ kind: 'Secret' as const, name: secret.secretName ?? '', keys: keysOf(secret.items), in: where }]
      : []),
  ];
}

function ofContainer({ name: container, env = [], envFrom = [] }: Container): Reference[] {
  const where = { container };
  const of = (
    kind: ReferenceKind,
    one: { name?: string; key?: string; optional?: boolean } | undefined,
  ): Reference[] =>
    one && !one.optional ? [{ kind, name: one.name ?? '', keys: one.key ? [one.key] : [], in: where }] : [];
  return [
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [...of('ConfigMap', configMapRef), ...of('Secret', secretRef)]),
    ...env.flatMap(({ valueFrom }) => [
      ...of('ConfigMap', valueFrom?.configMapKeyRef),
      ...of('Secret', valueFrom?.secretKeyRef),
    ]),
  ];
}

/** Undefined: nothing is. Most pods refer to nothing: those cost no request. */
export async function missingOf(pod: Pod, client: KubeClient, signal: AbortSignal): Promise<Missing | undefined> {
  const references = referencesOf(pod);
  if (references.length === 0) return undefined;
  const volumes = new Map<string, string>();
  const containers = new Map<string, string>();
  for (const reference of references) {
    const message = await whyMissing(reference, pod.metadata.namespace ?? '', client, signal);
    if (message === undefined) continue;
    if ('volume' in reference.in) volumes.set(reference.in.volume, message);
    else if (!containers.has(reference.in.container)) containers.set(reference.in.container, message);
  }
  return volumes.size + containers.size > 0 ? { volumes, containers } : undefined;
}

async function whyMissing(
  { kind, name, keys, in: place }: Reference,
  namespace: string,
  client: KubeClient,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const found = await client.get<{ data?: object; binaryData?: object }>(
      `/api/v1/namespaces/${namespace}/${paths[kind]}/${name}`,
      signal,
    );
    const has = { ...found.data, ...found.binaryData };
    const key = keys.find((one) => !Object.hasOwn(has, one));
    if (key === undefined) return undefined;
    return 'volume' in place
      ? `${absentKey[kind]}: ${key}`
      : `couldn't find key ${key} in ${kind} ${namespace}/${name}`;
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    return `${singular[kind]} "${name}" not found`;
  }
}
