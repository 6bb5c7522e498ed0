/**
 * Watches a member's RBAC objects and reports changes, so that kept access reviews can be dropped (IMP-3). Only the name and version of
 * each object are kept: a review's reason names its binding and role, and any new version of either counts as a change.
 */

import { CacheFullError, type Change, type FeedWriter, type Relist } from '@fleet/cache/feed-writer.ts';
import type { ListGate } from '@fleet/cache/reflector/list-gate.ts';
import { Reflector } from '@fleet/cache/reflector/reflector.ts';
import { type Clock, machineClock } from '@fleet/client/clock.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import { JsonBytesError, type Span } from '@fleet/kube/json-bytes.ts';
import { findObjectNames } from '@fleet/kube/object-names.ts';
import { type RbacKind, rbacObject } from './rbac-reason.ts';

export interface RbacListener {
  /** `object` as `rbacObject` writes it. */
  changed(object: string): void;
  /** Any object may have changed: all earlier reviews may be outdated. */
  anythingChanged(): void;
}

export interface RbacWatch {
  /** Whether changes arrive: only then may reviews be kept for minutes. */
  isHealthy(): boolean;
  /** When the last change arrived, in milliseconds since 1970. */
  readonly lastChange: number;
  /** Since when every change is known. An earlier review may rest on RBAC objects whose removal was never reported. */
  readonly knownSince: number;
  /** Whether the member has the object, as far as is known. `object` as `rbacObject` writes it. */
  has(object: string): boolean;
  subscribe(listener: RbacListener): Disposable;
}

export interface RbacChangesOptions {
  member: string;
  /** With the product's own credential. */
  upstream: Upstream;
  gate: ListGate;
  clock?: Clock;
  onError?(error: unknown): void;
}

const resources: readonly [RbacKind, string][] = [
  ['ClusterRole', 'clusterroles'],
  ['ClusterRoleBinding', 'clusterrolebindings'],
  ['Role', 'roles'],
  ['RoleBinding', 'rolebindings'],
];

/** Objects of one kind. With more, the watch is not healthy, and reviews are kept for seconds (SEC-2). */
const mostObjects = 200_000;
/** In characters, of all names and versions of one kind. */
const mostText = 16 * 1024 * 1024;
/** In bytes, of one name or version: Kubernetes has none that are longer. */
const longestText = 4_096;

export class RbacChanges implements RbacWatch, AsyncDisposable {
  lastChange = Number.NEGATIVE_INFINITY;
  knownSince = Number.NEGATIVE_INFINITY;
  private readonly listeners = new Set<RbacListener>();
  private readonly feeds: readonly RbacFeed[];
  private readonly reflectors: readonly Reflector[];

  constructor({ clock = machineClock, ...options }: RbacChangesOptions) {
    const changed = (object: string) => {
      this.lastChange = clock.now();
      for (const listener of this.listeners) listener.changed(object);
    };
    const anythingChanged = (isEvent: boolean) => {
      this.knownSince = clock.now();
      if (isEvent) this.lastChange = clock.now();
      for (const listener of this.listeners) listener.anythingChanged();
    };
    this.feeds = resources.map(([kind, resource]) => new RbacFeed(kind, resource, { changed, anythingChanged }));
    this.reflectors = this.feeds.map(
      (writer) =>
        new Reflector({
          ...options,
          clock,
          path: `/apis/rbac.authorization.k8s.io/v1/${writer.resource}`,
          writer,
          requestedForm: 'metadata',
        }),
    );
  }

  has(object: string): boolean {
    return this.feeds.some((feed) => feed.has(object));
  }

  isHealthy(): boolean {
    return this.reflectors.every((reflector) => reflector.isFresh());
  }

  subscribe(listener: RbacListener): Disposable {
    this.listeners.add(listener);
    return { [Symbol.dispose]: () => void this.listeners.delete(listener) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.reflectors.map((reflector) => reflector[Symbol.asyncDispose]()));
  }
}

interface FeedListener {
  changed(object: string): void;
  /** `isEvent`: a change just happened, which not all of the member's API servers may have seen; false for the first list. */
  anythingChanged(isEvent: boolean): void;
}

/** All objects of one kind, reduced to their versions. */
class RbacFeed implements FeedWriter {
  position: string | undefined;
  readonly resource: string;
  private readonly kind: RbacKind;
  private readonly listener: FeedListener;
  private versions = new KnownVersions();

  constructor(kind: RbacKind, resource: string, listener: FeedListener) {
    this.kind = kind;
    this.resource = resource;
    this.listener = listener;
  }

  has(object: string): boolean {
    return this.versions.has(object);
  }

  relist(): Relist {
    const found = new KnownVersions();
    return {
      add: (items) => {
        for (const item of items) found.set(...readObject(this.kind, item));
        found.refuseTooMuch(this.kind);
      },
      commit: (position, { wentBack = false } = {}) => {
        const [before, isFirst] = [this.versions, this.position === undefined];
        this.versions = found;
        this.position = position;
        if (isFirst || wentBack) return this.listener.anythingChanged(!isFirst);
        for (const [object, version] of found) if (before.get(object) !== version) this.listener.changed(object);
        for (const object of before.keys()) if (!found.has(object)) this.listener.changed(object);
      },
      [Symbol.dispose]() {},
    };
  }

  apply(changes: readonly Change[], position: string): void {
    const read = changes.map(({ type, item }) => ({ type, object: readObject(this.kind, item) }));
    for (const { type, object } of read) {
      const [name, version] = object;
      if (type === 'DELETED') this.versions.delete(name);
      else this.versions.set(name, version);
      this.listener.changed(name);
    }
    this.position = position;
    this.versions.refuseTooMuch(this.kind);
  }

  columns(): boolean {
    return false;
  }
}

/** The versions of objects by name, with the total length of the text, which is limited. */
class KnownVersions extends Map<string, string> {
  private text = 0;

  override set(name: string, version: string): this {
    this.delete(name);
    this.text += name.length + version.length;
    return super.set(name, version);
  }

  override delete(name: string): boolean {
    const version = this.get(name);
    if (version !== undefined) this.text -= name.length + version.length;
    return super.delete(name);
  }

  refuseTooMuch(kind: RbacKind): void {
    if (this.size > mostObjects || this.text > mostText) throw new CacheFullError(`too many ${kind} objects`);
  }
}

const onlyNames = { isEvent: false, maps: false };

function readObject(kind: RbacKind, bytes: Buffer): [object: string, version: string] {
  const { name, namespace, resourceVersion } = findObjectNames(bytes, 0, onlyNames);
  if (!name || !resourceVersion) throw new JsonBytesError('an RBAC object without a name or a version');
  for (const span of [name, namespace, resourceVersion]) {
    if (span && span.end - span.start > longestText)
      throw new JsonBytesError('an RBAC object with a name that is too long');
  }
  return [rbacObject(kind, textOf(bytes, namespace), textOf(bytes, name)), textOf(bytes, resourceVersion)];
}

/** Names of RBAC objects may hold quotes, which are escaped. */
const textOf = (bytes: Buffer, span: Span | undefined): string =>
  span ? (JSON.parse(bytes.toString('utf8', span.start - 1, span.end + 1)) as string) : '';
