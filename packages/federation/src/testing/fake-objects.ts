/** The objects of a fake control plane: versions, generations, finalizers, ownership, and what namespaces do to their objects. */

import { isDeepStrictEqual } from 'node:util';
import { forbidden, type GroupResource, notFound, qualified, StatusError } from '@fleet/kube/status.ts';
import type { AnyObject } from '../api/objects.ts';

interface Place extends GroupResource {
  namespace?: string | undefined;
}

interface FakeChange {
  version: number;
  now: AnyObject | undefined;
  old: AnyObject | undefined;
}

type Follower = (change: FakeChange) => void;

interface Collection {
  of: GroupResource;
  objects: Map<string, AnyObject>;
  changes: FakeChange[];
  followers: Map<Follower, string | undefined>;
}

/** Custom resources have generations, and their kinds in lists. */
export const isCustom = (group: string): boolean => group.includes('.') && !group.endsWith('.k8s.io');

const namespaces: GroupResource = { group: '', resource: 'namespaces' };

export class FakeObjects {
  /** Of the last change. */
  version = 1;
  /** Watches from earlier versions have expired. */
  oldest = 0;
  readonly #collections = new Map<string, Collection>();

  list(place: Place): AnyObject[] {
    return [...this.#collection(place).objects.values()].filter(isIn(place.namespace));
  }

  find(place: Place, name: string): AnyObject | undefined {
    return this.#collection(place).objects.get(keyIn(place, name));
  }

  get(place: Place, name: string): AnyObject {
    const object = this.find(place, name);
    if (!object) throw notFound(place, name);
    return object;
  }

  create(place: Place, sent: AnyObject): AnyObject {
    const { namespace } = place;
    const name = sent.metadata.name;
    const around = namespace === undefined ? undefined : this.get(namespaces, namespace);
    if (around?.metadata.deletionTimestamp !== undefined) {
      throw forbidden(`unable to create new content in namespace ${namespace} because it is being terminated`);
    }
    if (this.find(place, name)) {
      throw new StatusError(409, 'AlreadyExists', `${qualified(place)} "${name}" already exists`);
    }
    const { status: _status, ...object } = sent;
    const metadata = {
      ...sent.metadata,
      ...(namespace === undefined ? {} : { namespace }),
      uid: crypto.randomUUID(),
      creationTimestamp: new Date().toISOString(),
      generation: 1,
    };
    const made = this.#put(place, { ...object, metadata });
    if (this.#isGarbage(made)) this.delete(place, name);
    return made;
  }

  replace(place: Place, name: string, sent: AnyObject, subresource?: string): AnyObject {
    const known = this.get(place, name);
    const { uid, resourceVersion } = sent.metadata;
    if (resourceVersion !== undefined && resourceVersion !== known.metadata.resourceVersion) {
      throw conflict(place, name, 'the object has been modified');
    }
    if (uid !== undefined && uid !== known.metadata.uid) throw conflict(place, name, 'the object is another one');
    return this.#update(place, known, changed(known, sent, subresource));
  }

  delete(place: Place, name: string, preconditions: { uid?: string; resourceVersion?: string } = {}): AnyObject {
    const known = this.get(place, name);
    for (const key of ['uid', 'resourceVersion'] as const) {
      const expected = preconditions[key];
      if (expected !== undefined && expected !== known.metadata[key])
        throw conflict(place, name, `${key} is another one`);
    }
    if (known.metadata.deletionTimestamp !== undefined) return known;
    const { generation = 0 } = known.metadata;
    const deletionTimestamp = new Date().toISOString();
    const marked = { ...known, metadata: { ...known.metadata, deletionTimestamp, generation: generation + 1 } };
    return this.#update(place, known, marked);
  }

  /** First what has happened since a version, then what happens. */
  follow(place: Place, from: number, follower: Follower): Disposable {
    const { changes, followers } = this.#collection(place);
    for (const change of changes) if (change.version > from && concerns(change, place.namespace)) follower(change);
    followers.set(follower, place.namespace);
    return { [Symbol.dispose]: () => void followers.delete(follower) };
  }

  #collection({ group, resource }: Place): Collection {
    const key = qualified({ group, resource });
    const known = this.#collections.get(key);
    if (known) return known;
    const made: Collection = { of: { group, resource }, objects: new Map(), changes: [], followers: new Map() };
    this.#collections.set(key, made);
    return made;
  }

  #update(place: Place, known: AnyObject, now: AnyObject): AnyObject {
    const { deletionTimestamp, finalizers = [] } = now.metadata;
    const isHeld = finalizers.length > 0 || this.#hasContent(place, known);
    if (deletionTimestamp !== undefined && !isHeld) return this.#remove(place, now);
    const written = isDeepStrictEqual(now, known) ? known : this.#put(place, now);
    if (deletionTimestamp !== undefined) this.#empty(place, known.metadata.name);
    return written;
  }

  #put(place: Place, object: AnyObject): AnyObject {
    const { objects } = this.#collection(place);
    const key = keyIn(place, object.metadata.name);
    const old = objects.get(key);
    const metadata = { ...object.metadata, resourceVersion: String(this.version + 1) };
    // A copy, as nobody shares an object with a server.
    const now = JSON.parse(JSON.stringify({ ...object, metadata })) as AnyObject;
    objects.set(key, now);
    this.#notify(place, now, old);
    return now;
  }

  #remove(place: Place, object: AnyObject): AnyObject {
    const { objects } = this.#collection(place);
    const key = keyIn(place, object.metadata.name);
    const old = objects.get(key);
    objects.delete(key);
    this.#notify(place, undefined, old);
    this.#collectGarbage(object.metadata.uid);
    const { namespace } = object.metadata;
    const around = namespace === undefined ? undefined : this.find(namespaces, namespace);
    if (around?.metadata.deletionTimestamp !== undefined) this.#update(namespaces, around, around);
    return object;
  }

  #notify(place: Place, now: AnyObject | undefined, old: AnyObject | undefined): void {
    const { changes, followers } = this.#collection(place);
    this.version += 1;
    const change = { version: this.version, now, old };
    changes.push(change);
    for (const [follower, namespace] of [...followers]) if (concerns(change, namespace)) follower(change);
  }

  #collectGarbage(uid: string | undefined): void {
    for (const [of, object] of this.all()) {
      const { name, namespace, ownerReferences } = object.metadata;
      const isOwned = ownerReferences?.some((owner) => owner.uid === uid);
      if (isOwned && this.#isGarbage(object)) this.#deleteFound({ ...of, namespace }, name);
    }
  }

  /** All of its owners are gone. */
  #isGarbage({ metadata: { ownerReferences = [] } }: AnyObject): boolean {
    const uids = new Set(ownerReferences.map(({ uid }) => uid));
    return uids.size > 0 && !this.all().some(([, { metadata }]) => uids.has(metadata.uid ?? ''));
  }

  #hasContent({ group, resource }: Place, { metadata }: AnyObject): boolean {
    if (group !== '' || resource !== 'namespaces') return false;
    return this.all().some(([, object]) => object.metadata.namespace === metadata.name);
  }

  #empty({ group, resource }: Place, namespace: string): void {
    if (group !== '' || resource !== 'namespaces') return;
    for (const [of, { metadata }] of this.all()) {
      if (metadata.namespace === namespace) this.#deleteFound({ ...of, namespace }, metadata.name);
    }
  }

  /** The deletion of one may have removed others. */
  #deleteFound(place: Place, name: string): void {
    if (this.find(place, name)) this.delete(place, name);
  }

  /** As they are now, whatever happens to them next. */
  all(): [GroupResource, AnyObject][] {
    return [...this.#collections.values()].flatMap(({ of, objects }) =>
      [...objects.values()].map((object): [GroupResource, AnyObject] => [of, object]),
    );
  }
}

const keyIn = ({ namespace }: Place, name: string): string => (namespace ? `${namespace}/${name}` : name);

const isIn =
  (namespace: string | undefined) =>
  ({ metadata }: AnyObject): boolean =>
    namespace === undefined || metadata.namespace === namespace;

const concerns = ({ now, old }: FakeChange, namespace: string | undefined): boolean => isIn(namespace)((now ?? old)!);

const conflict = (place: Place, name: string, why: string): StatusError =>
  new StatusError(409, 'Conflict', `Operation cannot be fulfilled on ${qualified(place)} "${name}": ${why}`);

/** What the server gives an object stays; a write changes the status or everything else. */
function changed(known: AnyObject, sent: AnyObject, subresource: string | undefined): AnyObject {
  if (subresource === 'status') {
    const { status: _before, ...others } = known;
    return sent['status'] === undefined ? others : { ...others, status: sent['status'] };
  }
  const { uid, creationTimestamp, deletionTimestamp, generation = 0, namespace, resourceVersion } = known.metadata;
  const kept = { uid, creationTimestamp, deletionTimestamp, generation, namespace, resourceVersion };
  const { status: _sent, ...others } = sent;
  const isNew = !isDeepStrictEqual(contentOf(known), contentOf(sent));
  const metadata = Object.fromEntries(
    Object.entries({ ...sent.metadata, ...kept, generation: generation + Number(isNew) }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as unknown as AnyObject['metadata'];
  return { ...others, metadata, ...(known['status'] === undefined ? {} : { status: known['status'] }) };
}

function contentOf({ metadata: _metadata, status: _status, ...content }: AnyObject): object {
  return content;
}
