/** Where the names stand in an object's bytes: what a suffixed view changes. */

import { eachElement, eachMember, isArray, isObject, type Span, spanIs, stop, stringSpan } from './json-bytes.ts';

export interface ObjectNames {
  name: Span | undefined;
  namespace: Span | undefined;
  resourceVersion: Span | undefined;
  /** `metadata.ownerReferences[].name` */
  owners: Span[];
  /** An Event's `involvedObject.name` or `regarding.name`. */
  involved: Span[];
  /** Where these objects open. Labels and annotations only if asked for. */
  metadata: number | undefined;
  labels: number | undefined;
  annotations: number | undefined;
}

export interface NamesWanted {
  isEvent: boolean;
  /** Labels and annotations too. */
  maps: boolean;
  /** More objects of the same bytes may follow: what is behind this one is not searched, or it would be for each of them. */
  others?: boolean;
}

const involvedKeys = ['involvedObject', 'regarding'];

/** Relies on no order of keys: built-in objects have the order of a Go struct, custom ones are sorted. */
export function findObjectNames(bytes: Buffer, at: number, { isEvent, maps, others }: NamesWanted): ObjectNames {
  const names: ObjectNames = {
    name: undefined,
    namespace: undefined,
    resourceVersion: undefined,
    owners: [],
    involved: [],
    metadata: undefined,
    labels: undefined,
    annotations: undefined,
  };
  eachMember(bytes, at, (key, value) => {
    if (!isObject(bytes, value)) return undefined;
    if (spanIs(bytes, key, 'metadata')) {
      names.metadata = value;
      if (isEvent) return readMetadata(bytes, value, names, () => false);
      readMetadata(bytes, value, names, (from) => !others && nothingBehind(bytes, from, names, maps));
      // Spec and status hold no name that a view changes: most of an object is never looked at.
      return stop;
    }
    if (isEvent && involvedKeys.some((involved) => spanIs(bytes, key, involved))) {
      const name = nameOf(bytes, value);
      if (name) names.involved.push(name);
    }
    return undefined;
  });
  return names;
}

/**
 * `enough` is asked at `managedFields`, which is most of metadata and the last of its keys in built-in objects. Once: it
 * searches all that follows, and a member may repeat the key (SEC-3).
 */
function readMetadata(bytes: Buffer, at: number, names: ObjectNames, enough: (from: number) => boolean): number {
  let isAsked = false;
  const isEnough = (from: number) => {
    const first = !isAsked;
    isAsked = true;
    return first && enough(from);
  };
  return eachMember(bytes, at, (key, value) => {
    if (spanIs(bytes, key, 'name')) names.name = stringSpan(bytes, value);
    else if (spanIs(bytes, key, 'namespace')) names.namespace = stringSpan(bytes, value);
    else if (spanIs(bytes, key, 'resourceVersion')) names.resourceVersion = stringSpan(bytes, value);
    else if (spanIs(bytes, key, 'ownerReferences') && isArray(bytes, value)) {
      eachElement(bytes, value, (owner) => {
        const name = isObject(bytes, owner) ? nameOf(bytes, owner) : undefined;
        if (name) names.owners.push(name);
      });
    } else if (spanIs(bytes, key, 'labels') && isObject(bytes, value)) names.labels = value;
    else if (spanIs(bytes, key, 'annotations') && isObject(bytes, value)) names.annotations = value;
    else if (spanIs(bytes, key, 'managedFields') && isEnough(value)) return stop;
    return undefined;
  });
}

/** A search is many times faster than a walk; where it finds a key, of metadata or not, the walk goes on. */
function nothingBehind(bytes: Buffer, from: number, names: ObjectNames, maps: boolean): boolean {
  if (!names.name || !names.resourceVersion) return false;
  if (names.namespace === undefined && bytes.includes(namespaceKey, from)) return false;
  if (maps && names.labels === undefined && bytes.includes(labelsKey, from)) return false;
  if (maps && names.annotations === undefined && bytes.includes(annotationsKey, from)) return false;
  return !mentionsOwners(bytes, from);
}

const labelsKey = Buffer.from('"labels"');
const annotationsKey = Buffer.from('"annotations"');
const namespaceKey = Buffer.from('"namespace"');
const ownersKey = Buffer.from('"ownerReferences"');
/** Begins with a letter that is rare in objects, which makes the search four times as fast. */
const ownersKeyEnd = ownersKey.subarray(ownersKey.indexOf('R'));

/** Not misled by `"f:ownerReferences"`, which managedFields has wherever there are owners. */
function mentionsOwners(bytes: Buffer, from: number): boolean {
  const before = ownersKey.length - ownersKeyEnd.length;
  for (let at = from; ; at++) {
    at = bytes.indexOf(ownersKeyEnd, at);
    if (at === -1) return false;
    if (bytes.compare(ownersKey, 0, before, at - before, at) === 0) return true;
  }
}

function nameOf(bytes: Uint8Array, at: number): Span | undefined {
  let name: Span | undefined;
  eachMember(bytes, at, (key, value) => {
    if (!spanIs(bytes, key, 'name')) return undefined;
    name = stringSpan(bytes, value);
    return stop;
  });
  return name;
}
