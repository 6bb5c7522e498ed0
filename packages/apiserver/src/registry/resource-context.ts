/** What the verbs of one resource work with. */

import { badRequest, internalError, StatusError } from '@fleet/kube/status.ts';
import { quoted } from '../errors/quoted.ts';
import { pathSegmentFaults } from '../names/name-rules.ts';
import type { Entry, ObjectStore, Requirement } from '../store/object-store.ts';
import { StoreError } from '../store/store-error.ts';
import type { KubeObject } from './kube-object.ts';
import { keyPrefix, type ResourceKind } from './resource-kind.ts';

export interface ResourceContext extends WriteHooks {
  kind: ResourceKind;
  store: ObjectStore;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** What the server as a whole demands of writes, whoever they come from. */
export interface WriteHooks {
  /** What must not change until an object is created, such as its namespace. Each throws if it may not be created. */
  requires?: readonly ((object: KubeObject) => Promise<Requirement>)[];
  /** Throws if the object of this name may not be deleted. */
  admitDeletion?(name: string): Promise<void>;
  /** Throws if this object may not be deleted: kube-apiserver's `ValidateObjectFunc` of a deletion. */
  admitDeletionOf?(object: KubeObject): void;
  /**
   * Puts into an object what no other object may have, such as addresses: kube-apiserver's BeginCreate and BeginUpdate. Not
   * asked for subresources.
   */
  claim?(object: KubeObject, old: KubeObject | undefined, options: Pick<WriteOptions, 'dryRun'>): Promise<Claim>;
  /** An object is gone from the store. */
  afterDelete?(object: KubeObject): Promise<void>;
}

/** Disposed of when the object is written, or will not be. */
export interface Claim extends Disposable {
  /** What must not have changed when the object is written; else it is claimed anew. */
  requires: readonly Requirement[];
}

export interface Where {
  /** Of the request; undefined for kinds without namespaces and for lists over all. */
  namespace?: string | undefined;
  /** In bytes: what is there and larger is not looked into, but `TooLargeHere`. */
  atMost?: number | undefined;
}

/** Thrown before anything is done: what takes long is done elsewhere (LIMIT-3). */
export class TooLargeHere extends Error {}

export function refuseLarger({ value }: Pick<Entry, 'value'>, { atMost = Number.POSITIVE_INFINITY }: Where): void {
  if (value.length > atMost) throw new TooLargeHere();
}

export interface WriteOptions extends Where {
  /** All is checked, nothing is written. */
  dryRun?: boolean | undefined;
  /** What is wrong with what was given, told once it is clear which object is meant. */
  misfit?: ((name: string) => StatusError) | undefined;
  /** Asked of what would be written, again if that changes: kube-apiserver's `ValidateObjectFunc`. Throws if it may not be. */
  admitSettled?: ((object: KubeObject, old: KubeObject | undefined) => Promise<void>) | undefined;
  /** Receives what a client should know of what is written, even if in the end it is not. */
  warn?: ((text: string) => void) | undefined;
}

export function keyOf({ kind }: ResourceContext, { namespace }: Where, name: string): string {
  const faults = pathSegmentFaults(name);
  if (faults.length > 0) throw badRequest(`Name parameter invalid: ${quoted(name)}: ${faults.join(';')}`);
  return `${keyPrefix(kind, kind.namespaced ? namespace : undefined)}${name}`;
}

/** The Status of a store that cannot do its work. Nothing else of a store's errors is for clients. */
export async function asStatusErrors<Made>(work: Promise<Made>): Promise<Made> {
  try {
    return await work;
  } catch (thrown) {
    if (!(thrown instanceof StoreError)) throw thrown;
    switch (thrown.fault) {
      case 'full':
      case 'broken':
        throw new StatusError(500, 'InternalError', `Internal error occurred: ${thrown.message}`, undefined, {
          cause: thrown,
        });
      case 'closed':
        throw new StatusError(503, 'ServiceUnavailable', 'the server is shutting down', undefined, { cause: thrown });
      default:
        throw internalError(thrown);
    }
  }
}
