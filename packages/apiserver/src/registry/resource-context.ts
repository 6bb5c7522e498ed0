/** The context of one resource's verbs. */

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

/** Hooks of the server for all writes, whoever makes them. */
export interface WriteHooks {
  /** Preconditions of a creation that must hold until the object is written, such as its namespace. Each throws if it does not hold. */
  requires?: readonly ((object: KubeObject) => Promise<Requirement>)[];
  /** Throws if the object of this name must not be deleted. */
  admitDeletion?(name: string): Promise<void>;
  /** Throws if this object must not be deleted: kube-apiserver's `ValidateObjectFunc` of a deletion. */
  admitDeletionOf?(object: KubeObject): void;
  /**
   * Allocates unique values for an object, such as addresses: kube-apiserver's BeginCreate and BeginUpdate. Not called for
   * subresources.
   */
  claim?(object: KubeObject, old: KubeObject | undefined, options: Pick<WriteOptions, 'dryRun'>): Promise<Claim>;
  /** Called after an object was removed from the store. */
  afterDelete?(object: KubeObject): Promise<void>;
}

/** Disposed when the object is written, or will not be. */
export interface Claim extends Disposable {
  /** Preconditions of the write; if one fails, the claim is repeated. */
  requires: readonly Requirement[];
}

export interface Where {
  /** The namespace of the request; undefined for cluster-scoped kinds and for lists over all namespaces. */
  namespace?: string | undefined;
  /** In bytes: a larger stored object is not decoded; `TooLargeHere` is thrown instead. */
  atMost?: number | undefined;
}

/** Thrown before any change: the request has to be handled on a worker thread (LIMIT-3). */
export class TooLargeHere extends Error {}

export function refuseLarger({ value }: Pick<Entry, 'value'>, { atMost = Number.POSITIVE_INFINITY }: Where): void {
  if (value.length > atMost) throw new TooLargeHere();
}

export interface WriteOptions extends Where {
  /** Everything is checked, and nothing is written. */
  dryRun?: boolean | undefined;
  /** An error about the given object, reported once its name is known. */
  kindError?: ((name: string) => StatusError) | undefined;
  /** Validates the object to write, again if it changes: kube-apiserver's `ValidateObjectFunc`. Throws if it is not allowed. */
  admitSettled?: ((object: KubeObject, old: KubeObject | undefined) => Promise<void>) | undefined;
  /** Receives warnings for the client, even if the write fails in the end. */
  warn?: ((text: string) => void) | undefined;
}

export function keyOf({ kind }: ResourceContext, { namespace }: Where, name: string): string {
  const faults = pathSegmentFaults(name);
  if (faults.length > 0) throw badRequest(`Name parameter invalid: ${quoted(name)}: ${faults.join(';')}`);
  return `${keyPrefix(kind, kind.namespaced ? namespace : undefined)}${name}`;
}

/** The Status of a store that cannot work. Other errors of a store are not for clients. */
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
