/** Writes a stored object in the requested form (object, Table row or metadata), from the member's own bytes. */

import type { ChunkWriter } from './chunk-writer.ts';
import { isIndexed, putNames, putNoNames } from './item-names.ts';
import type { ItemForm } from './messages.ts';
import { writeStructMetadata } from './metadata-order.ts';
import { flag } from './record-layout.ts';
import type { StoredObjects } from './stored-objects.ts';
import type { TimesNow } from './table-times.ts';
import { costOfBytes } from './time-slice.ts';

/** The kind and apiVersion for objects that the member sent without, as in lists. */
export interface TypeMeta {
  kind: string;
  apiVersion: string;
  /** Whether list items have them. Left out: if the object's keys are sorted, as those of custom resources are. */
  inLists?: boolean | undefined;
  /** For the cells of Tables that show an age. */
  times?: TimesNow;
}

/** Relative to checking labels: managedFields may have to be decompressed with those of other objects. */
const writeCost = 8;

const partialHead = '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":';

export class ItemForms {
  private readonly objects: StoredObjects;

  constructor(objects: StoredObjects) {
    this.objects = objects;
  }

  /** `version` replaces the object's own resource version. Returns the cost: ages in Tables may be read from the whole object. */
  write(to: ChunkWriter, id: number, form: ItemForm, typeMeta: TypeMeta, version?: string): number {
    const begun = to.length;
    switch (form.as) {
      case 'object':
        this.writeObject(to, id, typeMeta, form.inList, version);
        break;
      case 'PartialObjectMetadata':
        this.writePartial(to, id, version);
        break;
      case 'Table':
        this.writeRow(to, id, form.includeObject, typeMeta, version);
        break;
      default:
        form satisfies never;
    }
    to.endItem();
    return writeCost + costOfBytes(this.objects.get(id, 'objectLength') + to.length - begun);
  }

  private writeRow(
    to: ChunkWriter,
    id: number,
    include: 'None' | 'Metadata' | 'Object',
    typeMeta: TypeMeta,
    version: string | undefined,
  ): void {
    const { objects } = this;
    const head = objects.objectAt(id) + objects.get(id, 'objectLength');
    const tail = head + objects.get(id, 'rowHead');
    if (typeMeta.times) typeMeta.times.rows.writeHead(to, objects, id, typeMeta.times.now);
    else to.copy(objects.segmentOf(id), head, tail);
    if (include === 'None') to.text('null');
    else if (include === 'Metadata') this.writePartial(to, id, version);
    else this.writeObject(to, id, typeMeta, false, version);
    to.copy(objects.segmentOf(id), tail, tail + objects.get(id, 'rowTail'));
  }

  private writeObject(
    to: ChunkWriter,
    id: number,
    typeMeta: TypeMeta,
    inList: boolean,
    version: string | undefined,
  ): void {
    const { objects } = this;
    const flags = objects.get(id, 'flags');
    const typeMetaEnd = objects.get(id, 'typeMetaEnd');
    const hasKind = (flags & flag.hasKind) !== 0;
    const isHidden = inList && !(typeMeta.inLists ?? (flags & flag.isKindFirst) === 0);
    const begun = to.length;
    let from = 0;
    if (hasKind && isHidden && typeMetaEnd > 0) {
      to.text('{');
      from = typeMetaEnd;
    } else if (!hasKind && !inList) {
      to.text(`{"kind":${JSON.stringify(typeMeta.kind)},"apiVersion":${JSON.stringify(typeMeta.apiVersion)},`);
      from = 1;
    }
    const before = to.length - begun - from;
    const managed = this.writeRange(to, id, from, objects.get(id, 'objectLength'), version);
    if (!inList) return;
    // An item with a kind of its own has to be parsed by the reader, which refuses another kind than the resource's.
    if ((hasKind && from === 0) || !isIndexed(objects, id)) {
      putNoNames(to);
      return;
    }
    const managedAt = managed > 0 ? objects.get(id, 'managedAt') : Number.POSITIVE_INFINITY;
    putNames(to, objects, id, (at) => before + (at >= managedAt ? managed : 0));
  }

  private writePartial(to: ChunkWriter, id: number, version: string | undefined): void {
    const { objects } = this;
    const [start, end] = [objects.get(id, 'metadataAt'), objects.get(id, 'metadataEnd')];
    to.text(partialHead);
    const isSorted = (objects.get(id, 'flags') & (flag.hasKind | flag.isKindFirst)) === flag.hasKind;
    if (isSorted) writeStructMetadata(to, this.metadataCopy(id, start, end, version));
    else this.writeRange(to, id, start, end, version);
    to.text('}');
  }

  private metadataCopy(id: number, start: number, end: number, version: string | undefined): Buffer {
    const parts: Buffer[] = [];
    this.eachPiece(id, start, end, version, (source, from, to) => {
      parts.push(Buffer.from(source.subarray(from, to)));
    });
    return Buffer.concat(parts);
  }

  /** Puts the managedFields back in. Returns their length. */
  private writeRange(to: ChunkWriter, id: number, start: number, end: number, version: string | undefined): number {
    if (version !== undefined) {
      this.eachPiece(id, start, end, version, (source, from, until) => to.copy(source, from, until));
      return 0;
    }
    const { objects } = this;
    const managed = objects.managedFields(id);
    const at = objects.get(id, 'managedAt');
    const bytes = objects.segmentOf(id);
    const base = objects.objectAt(id);
    if (!managed || at < start || at >= end) {
      to.copy(bytes, base + start, base + end);
      return 0;
    }
    to.copy(bytes, base + start, base + at);
    to.copy(managed, 0, managed.length);
    to.copy(bytes, base + at, base + end);
    return managed.length;
  }

  /** The pieces of the object from `start` to `end`, with its managedFields put back, and `version` instead of its own if given. */
  private eachPiece(
    id: number,
    start: number,
    end: number,
    version: string | undefined,
    piece: (source: Buffer, from: number, to: number) => void,
  ): void {
    const { objects } = this;
    const bytes = objects.segmentOf(id);
    const base = objects.objectAt(id);
    const edits: { at: number; skip: number; text: Buffer }[] = [];
    const managed = objects.managedFields(id);
    if (managed) edits.push({ at: objects.get(id, 'managedAt'), skip: 0, text: managed });
    if (version !== undefined && objects.get(id, 'versionLength') > 0) {
      const at = objects.get(id, 'versionAt');
      edits.push({ at, skip: objects.get(id, 'versionLength'), text: inString(version) });
    }
    let from = start;
    for (const { at, skip, text } of edits.sort((a, b) => a.at - b.at)) {
      if (at < start || at >= end) continue;
      piece(bytes, base + from, base + at);
      piece(text, 0, text.length);
      from = at + skip;
    }
    piece(bytes, base + from, base + end);
  }
}

/** As between the quotes of a string. Versions are the same in JSON; whatever another one is, the object stays an object (SEC-1). */
const inString = (version: string): Buffer => Buffer.from(JSON.stringify(version).slice(1, -1));
