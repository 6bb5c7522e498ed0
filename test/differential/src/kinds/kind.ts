/** A kind as the generator knows it: where it lives, how valid objects of it look, and who else writes them. */
import type { Random } from '../random.ts';
import type { JsonObject } from '../request.ts';

export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly weight: number;
  /**
   * `no`: a controller of the member writes these objects on its own time, so their status is not compared, no request
   * depends on their version, and they are not watched.
   */
  readonly settled: 'yes' | 'no';
  /** `dry`: real deletion is finished later by a controller, or is not desired. */
  readonly removal: 'real' | 'background' | 'dry';
  /** `dry`: never really created or changed. */
  readonly writes: 'real' | 'dry';
  /** Everything but apiVersion, kind and metadata. */
  build(random: Random, name: string): JsonObject;
  /** A change that the kind allows. */
  edit(random: Random, body: JsonObject): void;
  /** A change that the kind refuses, of most objects. */
  forbid?(random: Random, body: JsonObject): void;
  status?(random: Random): JsonObject;
  readonly scale?: boolean;
  /** Field selectors it supports besides metadata.name and metadata.namespace. */
  readonly fields?: readonly string[];
  /** Names that exist without being created. */
  readonly given?: readonly string[];
}

export const ordinary = { weight: 4, settled: 'yes', removal: 'real', writes: 'real', namespaced: true } as const;

export function apiVersion(kind: Kind): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** `/api/v1/…` or `/apis/group/version/…`, without a name. */
export function collectionPath(kind: Kind, namespace: string | undefined): string {
  const root = kind.group === '' ? '/api' : `/apis/${kind.group}`;
  const within = kind.namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
  return `${root}/${kind.version}${within}/${kind.resource}`;
}

export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
