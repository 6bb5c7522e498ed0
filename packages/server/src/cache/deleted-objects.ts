/** Reads from the response to a delete which objects are deleted, or have begun to be (CACHE-7). */

import {
  eachElement,
  eachMember,
  isArray,
  isObject,
  JsonBytesError,
  type Span,
  skipSpace,
  spanIs,
  stringSpan,
} from '@fleet/kube/json-bytes.ts';

export interface DeletedObject {
  /** `namespace/name`, or `name`. */
  key: string;
  uid: string;
  /** It is gone: that it has a deletionTimestamp shows nothing new. */
  isGone?: true;
}

export interface Deleted {
  objects: readonly DeletedObject[];
  /** A resource version at which all of them still existed; left out if the response has none. */
  version?: string;
}

/** If more objects are deleted, they are not tracked one by one. */
export const mostDeleted = 1_000;

/**
 * The response is a Status with the object's uid, the object itself, or a list. `key`: of the object that the request named; undefined
 * for a collection. Returns undefined if the response does not show what was deleted.
 */
export function deletedIn(bytes: Buffer, key: string | undefined): Deleted | undefined {
  try {
    const answer = membersOf(bytes, skipSpace(bytes, 0), ['kind', 'metadata', 'details', 'items']);
    return key === undefined ? deletedList(bytes, answer) : deletedOne(bytes, answer, key);
  } catch (error) {
    // The response is passed on unchanged: the client handles it.
    if (error instanceof JsonBytesError) return undefined;
    throw error;
  }
}

/**
 * The response to an update or a patch that removed the last finalizer of an object with a deletionTimestamp. kube-apiserver deletes
 * the object then, and returns it with its version from before. Undefined for all others.
 */
export function finalizedIn(bytes: Buffer, key: string): Deleted | undefined {
  try {
    const { metadata, spec } = membersOf(bytes, skipSpace(bytes, 0), ['metadata', 'spec']);
    const of = membersOf(bytes, metadata, [
      'uid',
      'resourceVersion',
      'deletionTimestamp',
      'deletionGracePeriodSeconds',
      'finalizers',
    ]);
    // Namespaces have finalizers in their spec, too.
    const { finalizers } = membersOf(bytes, spec, ['finalizers']);
    const uid = textAt(bytes, of.uid);
    if (uid === '' || textAt(bytes, of.deletionTimestamp) === '') return undefined;
    if (hasElements(bytes, of.finalizers) || hasElements(bytes, finalizers)) return undefined;
    if (isPositive(bytes, of.deletionGracePeriodSeconds)) return undefined;
    const version = textAt(bytes, of.resourceVersion);
    return { objects: [{ key, uid, isGone: true }], ...(version === '' ? {} : { version }) };
  } catch (error) {
    // The response is passed on unchanged: the client deals with it.
    if (error instanceof JsonBytesError) return undefined;
    throw error;
  }
}

function hasElements(bytes: Buffer, at: number | undefined): boolean {
  let count = 0;
  if (at !== undefined && isArray(bytes, at)) {
    eachElement(bytes, at, () => {
      count++;
    });
  }
  return count > 0;
}

/** Of a whole number. */
const isPositive = (bytes: Buffer, at: number | undefined): boolean =>
  at !== undefined && bytes[at]! >= 0x31 && bytes[at]! <= 0x39;

type Found<Name extends string> = Partial<Record<Name, number>>;
type Answer = Found<'kind' | 'metadata' | 'details' | 'items'>;

function deletedOne(bytes: Buffer, { kind, metadata, details }: Answer, key: string): Deleted | undefined {
  const isStatus = textAt(bytes, kind) === 'Status';
  const { uid, resourceVersion } = membersOf(bytes, isStatus ? details : metadata, ['uid', 'resourceVersion']);
  const [id, version] = [textAt(bytes, uid), isStatus ? '' : textAt(bytes, resourceVersion)];
  return id === '' ? undefined : { objects: [{ key, uid: id }], ...(version === '' ? {} : { version }) };
}

function deletedList(bytes: Buffer, { metadata, items }: Answer): Deleted | undefined {
  const version = textAt(bytes, membersOf(bytes, metadata, ['resourceVersion']).resourceVersion);
  // Without it, an object that the stream has not shown yet cannot be distinguished from a deleted one.
  if (version === '' || items === undefined || !isArray(bytes, items)) return undefined;
  const objects: DeletedObject[] = [];
  let isKnown = true;
  eachElement(bytes, items, (item) => {
    const object = objectOf(bytes, item);
    if (object && objects.length < mostDeleted) objects.push(object);
    else isKnown = false;
  });
  return isKnown ? { objects, version } : undefined;
}

function objectOf(bytes: Buffer, item: number): DeletedObject | undefined {
  const { metadata } = membersOf(bytes, item, ['metadata']);
  const { name, namespace, uid } = membersOf(bytes, metadata, ['name', 'namespace', 'uid']);
  const [named, within, id] = [textAt(bytes, name), textAt(bytes, namespace), textAt(bytes, uid)];
  return named === '' || id === '' ? undefined : { key: within === '' ? named : `${within}/${named}`, uid: id };
}

function membersOf<Name extends string>(bytes: Buffer, at: number | undefined, names: readonly Name[]): Found<Name> {
  const found: Found<Name> = {};
  if (at === undefined || !isObject(bytes, at)) return found;
  eachMember(bytes, at, (key, value) => {
    const name = names.find((one) => spanIs(bytes, key, one));
    if (name) found[name] = value;
    return undefined;
  });
  return found;
}

function textAt(bytes: Buffer, at: number | undefined): string {
  const span: Span | undefined = at === undefined ? undefined : stringSpan(bytes, at);
  return span ? bytes.toString('utf8', span.start, span.end) : '';
}
