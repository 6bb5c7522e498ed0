/** Finds the names in an object's bytes, which a suffixed view changes. */

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
  /** Offsets of the values. Labels and annotations only if requested, and of any type: some servers write null. */
  metadata: number | undefined;
  labels: number | undefined;
  annotations: number | undefined;
}

export interface NameOptions {
  isEvent: boolean;
  /** Also find labels and annotations. */
  maps: boolean;
  /** More objects may follow in the same buffer: the bytes after this one are not searched, or each object would search them again. */
  others?: boolean;
}

/**
 * How many owners, items and their members are examined one by one: far more than any object that Kubernetes stores has, and
 * few enough that a hostile object of megabytes does not block the event loop (LIMIT-3).
 */
const maxExamined = 100_000;

class ExaminedCount {
  private count = 0;

  next(): void {
    if (++this.count > maxExamined) throw new JsonBytesError('an object with too many owners or items');
  }
}

const involvedKeys = ['involvedObject', 'regarding'];

/**
 * Assumes no order of keys: built-in objects have the order of a Go struct, custom ones are sorted. Of two equal keys clients use
 * the last, and they decode escapes: with either, a member could show an object under another cluster's name, for a client to
 * delete there. So could an object with `items`, which kubectl takes for a list, also within a list. Throws at such objects.
 * An `apiVersion` after metadata may not be found if there is no `kind`, as nothing uses it alone.
 */
export function findObjectNames(bytes: Buffer, at: number, { isEvent, maps, others }: NameOptions): ObjectNames {
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
      // Spec and status hold no names that a view changes: most of an object is at most searched for keys, not walked.
      return isEvent || others || couldHaveMetadata(bytes, end) || couldHaveKind(bytes, end, names) ? end : stop;
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
    // managedFields are the largest part of metadata.
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

/** The names in the array `ownerReferences`. */
export function ownerNames(bytes: Buffer, at: number): Span[] {
  const names: Span[] = [];
  const count = new ExaminedCount();
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

/** A search is many times faster than a walk. Pod templates have metadata, too; then the walk continues. */
const couldHaveMetadata = (bytes: Buffer, from: number): boolean =>
  bytes.includes(metadataKey, from) || lettersEscaped.some((letters) => bytes.includes(letters, from));

/** Items of built-in lists have no kind, custom objects have both before metadata: few objects are walked because of it. */
const couldHaveKind = (bytes: Buffer, from: number, { kind, apiVersion }: ObjectNames): boolean =>
  kind && apiVersion ? false : kind !== undefined || bytes.includes(kindKey, from);

/** Without its opening quote: the search is faster the rarer its first byte is. */
const kindKey = Buffer.from('kind"');
const metadataKey = Buffer.from('"metadata"');
/** Escapes of a to o, and of p to z: letters are escaped only to hide a key. */
const lettersEscaped = ['\\u006', '\\u007'].map((text) => Buffer.from(text));

/** Custom resources may have `items` of their own; objects among them would have metadata, or items again. */
export function refuseNamedItems(bytes: Buffer, at: number): number {
  const count = new ExaminedCount();
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

function nameOf(bytes: Buffer, at: number, count = new ExaminedCount()): Span | undefined {
  let name: Span | undefined;
  eachMember(bytes, at, (key, value) => {
    count.next();
    refuseEscapes(bytes, key);
    if (spanIs(bytes, key, 'name')) name = onlyOne(name, stringSpan(bytes, value));
    return undefined;
  });
  return name;
}
