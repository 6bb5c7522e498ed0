/** Parses an item as a member sent it, in one pass: finds the offsets of what the cache needs, and copies nothing else. */

import { isUtf8 } from 'node:buffer';
import { skipLong } from '@fleet/kube/item-ends.ts';
import {
  eachMember,
  isArray,
  isObject,
  JsonBytesError,
  type Span,
  skipSpace,
  skipValue,
  spanIs,
  stop,
} from '@fleet/kube/json-bytes.ts';
import { backslash, quote } from '@fleet/kube/json-signs.ts';
import { longestVersion } from '@fleet/kube/list-splitter.ts';
import { ownerNames, refuseNamedItems, versionSpan } from '@fleet/kube/object-names.ts';
import { oneLine } from '@fleet/kube/one-line.ts';
import { eachKnownMember, looksLike, refuseEscapes } from '@fleet/kube/plain-keys.ts';
import { type FieldValues, textOf } from './field-values.ts';
import { JsonMemberLimit } from './json-member-limit.ts';

/** Offsets are into `item`. An empty span means absent. */
export interface Ingested {
  item: Buffer;
  object: Span;
  /** Whether the item is a Table's row around the object. */
  isRow: boolean;
  /** `namespace/name`, or `name`. */
  key: Buffer;
  name: Span;
  namespace: Span;
  version: Span;
  uid: Span;
  metadata: Span;
  /** The offset of the `{` of `metadata.annotations`; 0 if absent. */
  annotations: number;
  /** The name of the only owner reference. */
  owner: Span;
  /** Whether the offsets of all names that views change are known: not with several owners, or with repeated keys. */
  isIndexed: boolean;
  /** All of `metadata.managedFields`, with its key and a comma. */
  managedFields: Span;
  /** The managedFields are not kept (CACHE-6). */
  isPruned: boolean;
  labels: string;
  fields: readonly string[];
  hasKind: boolean;
  /** If `kind` and `apiVersion` are the first two keys, the offset of the third; otherwise 0. */
  typeMetaEnd: number;
  /** Whether `kind` comes before `apiVersion`, as in Go's structs. Custom objects have sorted keys, so theirs comes after. */
  isKindFirst: boolean;
  /** The creationTimestamp in seconds since 1970; 0 if unknown. */
  created: number;
}

const nothing: Span = { start: 0, end: 0 };
const longestKey = 4096;
const longestUid = 255;
const longestTypeMeta = 0xffff;
/** In bytes. Labels are parsed in one step, and kept as text. */
const longestLabels = 128 * 1024;

/** Throws JsonBytesError for what is not an object, and for keys that parsers read differently: repeated or escaped ones (SEC-1). */
export function ingest(item: Buffer, isNamespaced: boolean, fields: FieldValues): Ingested {
  // Stored as it is, with its line ends; one that could not be an event of a watch is refused while it harms no other member.
  oneLine(item);
  const at = skipSpace(item, 0);
  const row = rowObject(item, at);
  const walk = new Walk(item, row ?? at, fields);
  if (!row && skipSpace(item, walk.made.object.end) < item.length) throw new JsonBytesError('text after an object');
  return walk.finished(isNamespaced, row !== undefined);
}

/** The offset of the object in a Table's row; undefined if the item is an object itself. */
function rowObject(item: Buffer, at: number): number | undefined {
  if (!isRow(item, at)) return undefined;
  let object = -1;
  const members = new JsonMemberLimit();
  const end = eachKnownMember(item, at, ['cells', 'object', 'conditions', 'metadata'], (name, value) => {
    members.next();
    if (name !== 'object' || !isObject(item, value)) return undefined;
    object = value;
    return skipLong(item, value);
  });
  if (object < 0) throw new JsonBytesError('a row without an object');
  if (skipSpace(item, end) < item.length) throw new JsonBytesError('text after a row');
  return object;
}

/** An item is a row if the keys `cells` and `object` come before any `metadata`. */
function isRow(item: Buffer, at: number): boolean {
  let hasCells = false;
  let isObjectFound = false;
  const members = new JsonMemberLimit();
  eachMember(item, at, (key, value) => {
    members.next();
    if (spanIs(item, key, 'metadata')) return stop;
    if (spanIs(item, key, 'cells')) hasCells = isArray(item, value);
    if (spanIs(item, key, 'object')) isObjectFound = true;
    return hasCells && isObjectFound ? stop : undefined;
  });
  return hasCells && isObjectFound;
}

class Walk {
  readonly made: Ingested;
  private readonly bytes: Buffer;
  private readonly fields: FieldValues;
  private readonly count = new JsonMemberLimit();
  private members = 0;
  private apiVersion = -1;
  private kind = -1;
  private hasMetadata = false;

  constructor(bytes: Buffer, at: number, fields: FieldValues) {
    this.bytes = bytes;
    this.fields = fields;
    this.made = {
      item: bytes,
      object: { start: at, end: at },
      isRow: false,
      key: bytes,
      name: nothing,
      namespace: nothing,
      version: nothing,
      uid: nothing,
      metadata: nothing,
      annotations: 0,
      owner: nothing,
      isIndexed: true,
      managedFields: nothing,
      isPruned: false,
      labels: '',
      fields: [],
      hasKind: false,
      typeMetaEnd: 0,
      isKindFirst: false,
      created: 0,
    };
    fields.begin();
    this.made.object.end = eachMember(bytes, at, (key, value) => this.member(key, value));
  }

  finished(isNamespaced: boolean, isRow: boolean): Ingested {
    const { made, bytes } = this;
    const { name, namespace } = made;
    if (!this.hasMetadata || name.start === name.end) throw new JsonBytesError('an object without a name');
    if (isNamespaced !== namespace.end > namespace.start) throw new JsonBytesError('an object of another scope');
    const nameText = bytes.subarray(name.start, name.end);
    const whole = [bytes.subarray(namespace.start, namespace.end), slash, nameText];
    made.key = isNamespaced ? Buffer.concat(whole) : nameText;
    if (!isUtf8(made.key)) throw new JsonBytesError('a name that is no UTF-8');
    if (made.key.length > longestKey) throw new JsonBytesError('a name that is too long');
    made.isRow = isRow;
    made.hasKind = this.kind >= 0;
    made.isKindFirst = this.kind === 0;
    if (made.typeMetaEnd - made.object.start > longestTypeMeta) throw new JsonBytesError('a kind that is too long');
    made.fields = this.fields.count > 0 ? this.fields.take() : [];
    return made;
  }

  private member(key: Span, value: number): number | undefined {
    const { bytes, made } = this;
    this.count.next();
    refuseEscapes(bytes, key);
    const index = this.members++;
    if (index === 2 && this.kind >= 0 && this.apiVersion >= 0) made.typeMetaEnd = key.start - 1;
    if (spanIs(bytes, key, 'metadata')) {
      if (this.hasMetadata) throw new JsonBytesError('metadata twice in one object');
      this.hasMetadata = true;
      if (!isObject(bytes, value)) throw new JsonBytesError('metadata that is not an object');
      made.metadata = { start: value, end: this.readMetadata(value) };
      return made.metadata.end;
    }
    if (spanIs(bytes, key, 'kind')) this.kind = once(this.kind, index);
    else if (spanIs(bytes, key, 'apiVersion')) this.apiVersion = once(this.apiVersion, index);
    else if (isArray(bytes, value) && looksLike(bytes, key, 'items')) return refuseNamedItems(bytes, value);
    const walked = this.fields.visit(bytes, key, value);
    if (walked !== undefined) return walked;
    return isObject(bytes, value) || isArray(bytes, value) ? skipLong(bytes, value) : undefined;
  }

  private readMetadata(at: number): number {
    const { bytes, made } = this;
    const seen = new Set<string>();
    const only = (name: string): void => {
      if (seen.has(name)) throw new JsonBytesError(`${name} twice in one object`);
      seen.add(name);
    };
    let before = -1;
    let isCutFirst = false;
    const members = new JsonMemberLimit();
    return eachMember(bytes, at, (key, value) => {
      members.next();
      refuseEscapes(bytes, key);
      if (isCutFirst) {
        made.managedFields.end = key.start - 1;
        isCutFirst = false;
      }
      const name = metadataKeys.find((known) => spanIs(bytes, key, known));
      if (name) only(name);
      else this.keepMarked(key, value);
      const isLong = name === 'managedFields' && isArray(bytes, value);
      const end = isLong ? skipLong(bytes, value) : skipValue(bytes, value);
      if (name === 'managedFields') {
        made.managedFields = { start: before < 0 ? key.start - 1 : before, end };
        isCutFirst = before < 0;
      } else if (name) this.keep(name, value, end);
      before = end;
      return end;
    });
  }

  /** Keeps the other offsets at which views insert cluster names, as `findObjectNames` finds them. */
  private keepMarked(key: Span, value: number): void {
    const { bytes, made } = this;
    if (spanIs(bytes, key, 'annotations')) {
      if (made.annotations > 0 || !isObject(bytes, value)) made.isIndexed = false;
      else made.annotations = value;
    } else if (spanIs(bytes, key, 'ownerReferences') && isArray(bytes, value)) {
      const owners = ownerNames(bytes, value);
      if (owners.length > 1 || made.owner !== nothing) made.isIndexed = false;
      made.owner = owners[0] ?? made.owner;
    }
  }

  private keep(name: Exclude<MetadataKey, 'managedFields'>, value: number, end: number): void {
    const { bytes, made } = this;
    if (name === 'labels') {
      if (end - value > longestLabels) throw new JsonBytesError('labels that are too long');
      if (isObject(bytes, value)) made.labels = bytes.toString('utf8', value, end);
      return;
    }
    if (bytes[value] !== quote) return;
    const span = { start: value + 1, end: end - 1 };
    if (name === 'creationTimestamp') {
      const millis = Date.parse(textOf(bytes, span));
      made.created = Number.isNaN(millis) || millis < 0 ? 0 : Math.floor(millis / 1000);
      return;
    }
    // They are compared as bytes and put into keys. None needs an escape, so one that has it is an attempt to hide something.
    if (bytes.subarray(value, end).includes(backslash)) throw new JsonBytesError(`a ${name} with an escape`);
    const longest = name === 'uid' ? longestUid : longestVersion;
    if (span.end - span.start > longest) throw new JsonBytesError(`a ${name} that is too long`);
    if (name === 'resourceVersion') made.version = versionSpan(bytes, value) ?? nothing;
    else made[name] = span;
  }
}

const slash = Buffer.from('/');
const metadataKeys = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'labels',
  'managedFields',
] as const;
type MetadataKey = (typeof metadataKeys)[number];

function once(known: number, found: number): number {
  if (known >= 0) throw new JsonBytesError('a kind or version twice in one object');
  return found;
}
