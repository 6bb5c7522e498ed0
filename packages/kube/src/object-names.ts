/** Where the names stand in an object's bytes: what a suffixed view changes. */

import { skipLong } from './item-ends.ts';
import {
  eachElement,
  eachMember,
  isArray,
  isObject,
  JsonBytesError,
  type Span,
  spanIs,
  stop,
  stringSpan,
} from './json-bytes.ts';
import { backslash } from './json-signs.ts';
import { looksLike, refuseEscapes } from './plain-keys.ts';

export interface ObjectNames {
  kind: Span | undefined;
  apiVersion: Span | undefined;
  name: Span | undefined;
  namespace: Span | undefined;
  resourceVersion: Span | undefined;
  /** `metadata.ownerReferences[].name` */
  owners: Span[];
  /** An Event's `involvedObject.name` or `regarding.name`. */
  involved: Span[];
  /** Where these stand. Labels and annotations only if asked for, and whatever they are: some servers write null. */
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

/**
 * How many owners, items and members of them are looked at one by one: far more than any object has that Kubernetes stores, and
 * few enough that a hostile one of megabytes does not hold the event loop (LIMIT-3).
 */
const mostLookedAt = 100_000;

class LookedAt {
  private count = 0;

  next(): void {
    if (++this.count > mostLookedAt) throw new JsonBytesError('an object with too many owners or items');
  }
}

const involvedKeys = ['involvedObject', 'regarding'];

/**
 * Relies on no order of keys: built-in objects have the order of a Go struct, custom ones are sorted. Clients take the last of
 * two keys that are the same, and read escapes: a member that writes either could show an object under another cluster's name,
 * for a client to delete there. So could one that has `items`: kubectl takes what has them for a list, also within a list.
 * Throws at such objects. An `apiVersion` behind metadata may not be found where there is no `kind`: nobody goes by it alone.
 */
export function findObjectNames(bytes: Buffer, at: number, { isEvent, maps, others }: NamesWanted): ObjectNames {
  const names: ObjectNames = {
    kind: undefined,
    apiVersion: undefined,
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
    refuseEscapes(bytes, key);
    if (spanIs(bytes, key, 'metadata')) {
      if (names.metadata !== undefined) throw new JsonBytesError('metadata twice in one object');
      if (!isObject(bytes, value)) return undefined;
      names.metadata = value;
      const end = readMetadata(bytes, value, names, maps);
      // Spec and status hold no name that a view changes: most of an object is searched at the most, not walked.
      return isEvent || others || mayHoldMetadata(bytes, end) || mayHoldKind(bytes, end, names) ? end : stop;
    }
    if (spanIs(bytes, key, 'kind')) names.kind = onlyOne(names.kind, stringSpan(bytes, value));
    else if (spanIs(bytes, key, 'apiVersion')) names.apiVersion = onlyOne(names.apiVersion, stringSpan(bytes, value));
    if (isEvent && isObject(bytes, value) && involvedKeys.some((involved) => spanIs(bytes, key, involved))) {
      const name = nameOf(bytes, value);
      if (name) names.involved.push(name);
    }
    if (isArray(bytes, value) && looksLike(bytes, key, 'items')) return refuseNamedItems(bytes, value);
    return undefined;
  });
  return names;
}

function readMetadata(bytes: Buffer, at: number, names: ObjectNames, maps: boolean): number {
  return eachMember(bytes, at, (key, value) => {
    refuseEscapes(bytes, key);
    if (spanIs(bytes, key, 'name')) names.name = onlyOne(names.name, stringSpan(bytes, value));
    else if (spanIs(bytes, key, 'namespace')) names.namespace = onlyOne(names.namespace, stringSpan(bytes, value));
    else if (spanIs(bytes, key, 'resourceVersion')) {
      names.resourceVersion = onlyOne(names.resourceVersion, versionSpan(bytes, value));
    } else if (spanIs(bytes, key, 'ownerReferences') && isArray(bytes, value)) {
      for (const name of ownerNames(bytes, value)) names.owners.push(name);
    } else if (maps && spanIs(bytes, key, 'labels')) names.labels = onlyMap(names.labels, value);
    else if (maps && spanIs(bytes, key, 'annotations')) names.annotations = onlyMap(names.annotations, value);
    // Most of metadata.
    else if (spanIs(bytes, key, 'managedFields') && isArray(bytes, value)) return skipLong(bytes, value);
    return undefined;
  });
}

/** Throws at one that is not the same in JSON as out of it: see `isPlainVersion`. */
export function versionSpan(bytes: Buffer, at: number): Span | undefined {
  const span = stringSpan(bytes, at);
  if (!span) return undefined;
  for (let i = span.start; i < span.end; i++) {
    const byte = bytes[i]!;
    if (byte < 0x20 || byte > 0x7e || byte === backslash)
      throw new JsonBytesError('a version with an escape or a sign');
  }
  return span;
}

/** Of the array `ownerReferences`. */
export function ownerNames(bytes: Buffer, at: number): Span[] {
  const names: Span[] = [];
  const count = new LookedAt();
  eachElement(bytes, at, (owner) => {
    count.next();
    const name = isObject(bytes, owner) ? nameOf(bytes, owner, count) : undefined;
    if (name) names.push(name);
  });
  return names;
}

function onlyOne(known: Span | undefined, found: Span | undefined): Span | undefined {
  if (known !== undefined) throw new JsonBytesError('a name, version or kind twice in one object');
  return found;
}

function onlyMap(known: number | undefined, found: number): number {
  if (known !== undefined) throw new JsonBytesError('labels or annotations twice in one object');
  return found;
}

/** A search is many times faster than a walk. Templates of pods have metadata, too, in which case the walk goes on. */
const mayHoldMetadata = (bytes: Buffer, from: number): boolean =>
  bytes.includes(metadataKey, from) || lettersEscaped.some((letters) => bytes.includes(letters, from));

/** Items of built-in lists have none, custom objects have both in front of metadata: few are walked for its sake. */
const mayHoldKind = (bytes: Buffer, from: number, { kind, apiVersion }: ObjectNames): boolean =>
  kind && apiVersion ? false : kind !== undefined || bytes.includes(kindKey, from);

/** Without its quote in front: how often the first letter of what is searched for occurs decides how fast it is. */
const kindKey = Buffer.from('kind"');
const metadataKey = Buffer.from('"metadata"');
/** Of a to o, and of p to z: nobody escapes letters but to hide a key. */
const lettersEscaped = ['\\u006', '\\u007'].map((text) => Buffer.from(text));

/** Custom resources may have `items` of their own; those that could be taken for objects have metadata, or items again. */
export function refuseNamedItems(bytes: Buffer, at: number): number {
  const count = new LookedAt();
  return eachElement(bytes, at, (item) => {
    count.next();
    if (!isObject(bytes, item)) return;
    eachMember(bytes, item, (key) => {
      count.next();
      refuseEscapes(bytes, key);
      if (spanIs(bytes, key, 'metadata') || looksLike(bytes, key, 'items')) {
        throw new JsonBytesError('a list within an object');
      }
      return undefined;
    });
  });
}

function nameOf(bytes: Buffer, at: number, count = new LookedAt()): Span | undefined {
  let name: Span | undefined;
  eachMember(bytes, at, (key, value) => {
    count.next();
    refuseEscapes(bytes, key);
    if (spanIs(bytes, key, 'name')) name = onlyOne(name, stringSpan(bytes, value));
    return undefined;
  });
  return name;
}
