/** Field management: updates `managedFields` on writes, and applies configurations. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { FieldManager } from '../patch/managers/field-manager.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { type ApiRequest, oneHeader } from './message.ts';
import type { ObjectTypes } from './object-types.ts';

const longestName = 128;

/** The `fieldManager` of the query, or the client's program name. */
export function managerOf(request: ApiRequest, query: URLSearchParams): string {
  const given = query.get('fieldManager');
  if (given) return given;
  const [program = ''] = (oneHeader(request, 'user-agent') ?? '').split('/', 1);
  return program.replace(/[^\x20-\x7e]/g, '').slice(0, longestName) || 'unknown';
}

export class FieldOwner {
  readonly #types: Pick<ObjectTypes, 'managed'>;
  readonly #managers = new Map<string, FieldManager>();

  constructor(types: Pick<ObjectTypes, 'managed'>) {
    this.#types = types;
  }

  /** The successor of `old`, with updated owners. */
  tracked(old: KubeObject | undefined, next: KubeObject, manager: string, subresource = ''): KubeObject {
    const made = this.#manager(subresource).update(asJson(old), asJson(next)!, manager, new Date());
    return made as unknown as KubeObject;
  }

  /** Throws a conflict if another manager owns an applied field, unless forced. */
  applied(
    old: KubeObject | undefined,
    config: JsonObject,
    manager: string,
    force: boolean,
    subresource = '',
  ): KubeObject {
    const made = this.#manager(subresource).apply(asJson(old), config, { manager, force, now: new Date() });
    return made as unknown as KubeObject;
  }

  #manager(subresource: string): FieldManager {
    let manager = this.#managers.get(subresource);
    if (!manager) {
      manager = new FieldManager(this.#types.managed(subresource));
      this.#managers.set(subresource, manager);
    }
    return manager;
  }
}

/** Without managedFields, as kube-apiserver leaves objects whose owners it cannot determine. */
export function disowned(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

const asJson = (object: KubeObject | undefined): JsonObject | undefined => object as unknown as JsonObject | undefined;
