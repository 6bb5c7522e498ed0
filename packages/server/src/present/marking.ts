/** Inserts what a view adds to one cluster's objects. All other bytes stay as the member wrote them. */

import { skipLong } from '@fleet/kube/item-ends.ts';
import {
  eachElement,
  eachMember,
  isArray,
  isObject,
  JsonBytesError,
  type Span,
  skipSpace,
  skipValue,
  spanIs,
  stringSpan,
} from '@fleet/kube/json-bytes.ts';
import { backslash, closeBrace, closeBracket } from '@fleet/kube/json-signs.ts';
import { findObjectNames, type ObjectNames } from '@fleet/kube/object-names.ts';
import { eachKnownMember, textOf } from '@fleet/kube/plain-keys.ts';
import { suffixOf } from '../target/suffixed-name.ts';
import { type ClusterName, karmada, type View } from '../target/target.ts';
import { type AskedObjects, refuseForeignNames, refuseUnasked } from './asked-objects.ts';

export interface Marking {
  /** After names: the object's own, its owners', and those that an Event is about (NAME-4, NAME-12). */
  name: Buffer | undefined;
  /** After its namespace. */
  namespace: Buffer | undefined;
  /** An annotation, and a Table's last cell (LIST-6). */
  annotation: Mark | undefined;
  cell: Buffer | undefined;
  /** A label on the rows of a Table (NAME-11). */
  rowLabel: Mark | undefined;
  /** Replaces its resource version (RV-4). */
  versionOf?: ((own: string) => string) | undefined;
  isEvent: boolean;
  /** Set for members, which are not trusted to return only what was requested. The control plane is trusted (NAME-5). */
  isMember: boolean;
  /** Undefined if any object is valid. */
  asked: AskedObjects | undefined;
}

/** One member of a map to insert. Made once for all objects of an answer. */
interface Mark {
  key: string;
  /** As JSON. */
  value: Buffer;
  /** The member alone, and before others. */
  entry: Placed;
  /** Including the map. */
  inMap: Record<'annotations' | 'labels', Placed>;
}

interface Placed {
  alone: Buffer;
  first: Buffer;
}

export interface Insertion {
  at: number;
  bytes: Buffer;
  /** The bytes up to here are replaced. */
  end?: number;
}

const placed = (text: string): Placed => ({ alone: Buffer.from(text), first: Buffer.from(`${text},`) });

function markOf(key: string, text: string): Mark {
  const value = JSON.stringify(text);
  const entry = `${JSON.stringify(key)}:${value}`;
  return {
    key,
    value: Buffer.from(value),
    entry: placed(entry),
    inMap: { annotations: placed(`"annotations":{${entry}}`), labels: placed(`"labels":{${entry}}`) },
  };
}

export function markingOf(
  { names, annotated }: View,
  cluster: ClusterName,
  isEvent: boolean,
  asked: AskedObjects | undefined,
): Marking {
  const suffix = Buffer.from(suffixOf(cluster));
  return {
    name: names === 'name-suffixed' ? suffix : undefined,
    namespace: names === 'namespace-suffixed' ? suffix : undefined,
    annotation: annotated && markOf(annotated, cluster),
    cell: annotated && Buffer.from(JSON.stringify(cluster)),
    rowLabel: names === 'plain' && !annotated ? undefined : markOf('clusterspace', cluster),
    isEvent,
    isMember: cluster !== karmada,
    asked: cluster === karmada ? undefined : asked,
  };
}

/** For merged views, in which objects of the control plane have no suffix (NAME-5). */
export function mergedMarkingOf(...[view, cluster, ...rest]: Parameters<typeof markingOf>): Marking {
  const marking = markingOf(view, cluster, ...rest);
  return cluster === karmada ? { ...marking, name: undefined } : marking;
}

const inOrder = (a: Insertion, b: Insertion): number => a.at - b.at;

/** `known`: the offsets of its names, if known already. */
export function objectInsertions(bytes: Buffer, at: number, marking: Marking, known?: ObjectNames): Insertion[] {
  const isEnough = known && !marking.isEvent && !marking.versionOf;
  const names = isEnough ? known : namesIn(bytes, at, marking, {});
  return insertionsAt(bytes, names, marking, undefined).sort(inOrder);
}

interface InRow {
  label?: Mark | undefined;
  others?: boolean;
}

function namesIn(bytes: Buffer, at: number, { annotation, isEvent }: Marking, { label, others = false }: InRow) {
  const maps = annotation !== undefined || label !== undefined;
  return findObjectNames(bytes, at, { isEvent, maps, others });
}

function insertionsAt(bytes: Buffer, found: ObjectNames, marking: Marking, label: Mark | undefined): Insertion[] {
  const { name, namespace, annotation, versionOf, isMember, asked } = marking;
  if (isMember) refuseForeignNames(bytes, found, marking);
  if (asked) refuseUnasked(bytes, found, asked, marking);
  const insertions: Insertion[] = [];
  const behind = (span: Span | undefined, suffix: Buffer) => {
    if (span) insertions.push({ at: span.end, bytes: suffix });
  };
  if (name) {
    behind(found.name, name);
    for (const span of found.owners) behind(span, name);
    for (const span of found.involved) behind(span, name);
  }
  if (namespace) behind(found.namespace, namespace);
  if (versionOf && found.resourceVersion) {
    const { start, end } = found.resourceVersion;
    insertions.push({ at: start, end, bytes: Buffer.from(versionOf(bytes.toString('utf8', start, end))) });
  }
  if (annotation) insertions.push(...memberIn(bytes, found.metadata, 'annotations', found.annotations, annotation));
  if (label) insertions.push(...memberIn(bytes, found.metadata, 'labels', found.labels, label));
  return insertions;
}

/**
 * Inserts a member into a map in the metadata, and the map if there is none. Clients use the last of two equal keys: if the object has
 * that key already, it would name another cluster, so its value is replaced (CACHE-9).
 */
function memberIn(
  bytes: Buffer,
  metadata: number | undefined,
  map: 'annotations' | 'labels',
  at: number | undefined,
  mark: Mark,
): Insertion[] {
  if (at === undefined) return metadata === undefined ? [] : [firstIn(bytes, metadata, mark.inMap[map])];
  if (!isObject(bytes, at)) {
    return [{ at, end: skipValue(bytes, at), bytes: Buffer.from(`{${mark.entry.alone}}`) }];
  }
  const own = valuesOf(bytes, at, mark.key);
  return own.length > 0
    ? own.map(({ start, end }) => ({ at: start, end, bytes: mark.value }))
    : [firstIn(bytes, at, mark.entry)];
}

/** More than Kubernetes allows in all annotations of an object. A hostile object with more would block the event loop (LIMIT-3). */
const mostMembers = 100_000;

/** The values of a key, whether it is written with escapes or not. */
function valuesOf(bytes: Buffer, map: number, name: string): Span[] {
  const values: Span[] = [];
  let members = 0;
  eachMember(bytes, map, (key, start) => {
    if (++members > mostMembers) throw new JsonBytesError('a map with too many members');
    if (!spanIs(bytes, key, name) && !(isEscaped(bytes, key, name) && textOf(bytes, key) === name)) return undefined;
    const end = skipValue(bytes, start);
    values.push({ start, end });
    return end;
  });
  return values;
}

/** Whether it may be this name with escapes: an escaped letter takes at most six characters. */
const isEscaped = (bytes: Buffer, { start, end }: Span, name: string): boolean =>
  end - start > name.length && end - start <= 6 * name.length && bytes.subarray(start, end).includes(backslash);

function firstIn(bytes: Buffer, object: number, { alone, first }: Placed): Insertion {
  const isEmpty = bytes[skipSpace(bytes, object + 1)] === closeBrace;
  return { at: object + 1, bytes: isEmpty ? alone : first };
}

/** The members of a Table's row. */
export const rowKeys = ['cells', 'object'] as const;

/** For a Table's row: cells that print a name, a cell for the cluster, and the row's object (LIST-5, LIST-6). */
export function rowInsertions(bytes: Buffer, nameColumns: ReadonlySet<number>, marking: Marking): Insertion[] {
  const { name, cell: clusterCell, rowLabel } = marking;
  const insertions: Insertion[] = [];
  let cellsSeen = false;
  eachKnownMember(bytes, 0, rowKeys, (key, value) => {
    if (key === 'cells' && isArray(bytes, value)) {
      cellsSeen = true;
      const end = eachElement(bytes, value, (cell, index) => {
        const text = name && nameColumns.has(index) ? stringSpan(bytes, cell) : undefined;
        if (name && text) insertions.push({ at: text.end, bytes: name });
      });
      if (clusterCell) insertions.push(lastIn(bytes, value, end, clusterCell));
      return end;
    }
    if (key === 'object' && isObject(bytes, value)) {
      const names = namesIn(bytes, value, marking, { label: rowLabel, others: !cellsSeen });
      const found = insertionsAt(bytes, names, marking, rowLabel);
      for (const insertion of found) insertions.push(insertion);
      return skipLong(bytes, value);
    }
    return undefined;
  });
  return insertions.sort(inOrder);
}

function lastIn(bytes: Buffer, array: number, end: number, value: Buffer): Insertion {
  const isEmpty = bytes[skipSpace(bytes, array + 1)] === closeBracket;
  return { at: end - 1, bytes: isEmpty ? value : Buffer.concat([Buffer.from(','), value]) };
}

/** The bytes with the insertions, as pieces that share the original's memory. */
export function* spliced(bytes: Buffer, insertions: readonly Insertion[]): Generator<Buffer> {
  let from = 0;
  for (const insertion of insertions) {
    yield bytes.subarray(from, insertion.at);
    yield insertion.bytes;
    from = insertion.end ?? insertion.at;
  }
  yield from === 0 ? bytes : bytes.subarray(from);
}
