/** The kinds that an API server serves: which resource an object belongs to, and the URL paths of its objects. */

import type { GroupDiscoveryList } from '@fleet/kube/discovery.ts';

export interface Resource {
  /** As in `apps/v1`; `v1` for the core group. */
  apiVersion: string;
  group: string;
  version: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  verbs: readonly string[];
  /** Whether the API server prefers this version of the group. */
  preferred: boolean;
}

/** What a reference to an object has. */
export interface ObjectName {
  apiVersion: string;
  kind: string;
  namespace?: string | undefined;
  name: string;
}

export class Kinds {
  readonly #byKind = new Map<string, Resource>();

  constructor(resources: Iterable<Resource>) {
    for (const resource of resources) this.#byKind.set(keyOfKind(resource), resource);
  }

  of(object: { apiVersion: string; kind: string }): Resource | undefined {
    return this.#byKind.get(keyOfKind(object));
  }

  all(): Iterable<Resource> {
    return this.#byKind.values();
  }

  /** Undefined where the kind is not served. */
  pathOf(object: ObjectName): string | undefined {
    const resource = this.of(object);
    return resource && `${collectionPath(resource, object.namespace)}/${encodeURIComponent(object.name)}`;
  }
}

const keyOfKind = ({ apiVersion, kind }: { apiVersion: string; kind: string }): string => `${apiVersion} ${kind}`;

/** Without a namespace: of all namespaces. */
export function collectionPath({ group, version, plural, namespaced }: Resource, namespace?: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced && namespace ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
}

/** From aggregated discovery, as `/api` and `/apis` return it. */
export function* resourcesOf(...lists: readonly GroupDiscoveryList[]): Iterable<Resource> {
  for (const { items } of lists) {
    for (const { metadata, versions = [] } of items) {
      const group = metadata?.name ?? '';
      for (const [index, { version, resources = [] }] of versions.entries()) {
        const apiVersion = group === '' ? version : `${group}/${version}`;
        for (const { resource: plural, responseKind, scope, verbs = [] } of resources) {
          const kind = responseKind?.kind ?? '';
          yield {
            apiVersion,
            group,
            version,
            kind,
            plural,
            namespaced: scope === 'Namespaced',
            verbs,
            preferred: index === 0,
          };
        }
      }
    }
  }
}
