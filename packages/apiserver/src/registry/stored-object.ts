/**
 * The stored form of objects: JSON without resourceVersion, which is the store's revision and is inserted on reading.
 *
 *   {"kind":"…","apiVersion":"…","metadata":{    name, labels, … and the rest of the object
 *   ^ omitted in lists of built-in kinds     ^ "resourceVersion":"…", is inserted here
 */

import { type JsonValue, jsonText, parseJson } from '@fleet/kube/json-value.ts';
import type { Entry } from '../store/object-store.ts';
import type { Shown } from '../watch-cache/shared-event.ts';
import type { KubeObject } from './kube-object.ts';
import { type Outline, outlineInSlices, outlineOf } from './outline.ts';
import { readInSlices } from './read-in-slices.ts';
import type { ResourceKind } from './resource-kind.ts';

export function encodeObject({ kind, apiVersion, metadata, ...rest }: KubeObject): Buffer {
  const { resourceVersion: _, ...kept } = metadata;
  return Buffer.from(jsonText({ kind, apiVersion, metadata: kept, ...rest } as unknown as JsonValue));
}

const metadataStart = Buffer.from('"metadata":{');

const versionPlace = (value: Buffer): number => value.indexOf(metadataStart) + metadataStart.length;

const asBuffer = (value: Uint8Array): Buffer => Buffer.from(value.buffer, value.byteOffset, value.byteLength);

/** A response in parts: the value's beginning, an ASCII text, and the value from an offset on. */
export interface Spliced {
  value: Buffer;
  before: number;
  text: string;
  from: number;
}

export const lengthOf = ({ value, before, text, from }: Spliced): number => before + text.length + value.length - from;

/** Writes it at an offset; returns the offset after it. */
export function writeSpliced({ value, before, text, from }: Spliced, target: Buffer, at: number): number {
  let end = at + value.copy(target, at, 0, before);
  end += target.write(text, end, 'latin1');
  return end + value.copy(target, end, from);
}

/** An object with its resourceVersion. */
export function splicedObject({ value, revision }: Pick<Entry, 'value' | 'revision'>): Spliced {
  const bytes = asBuffer(value);
  const place = versionPlace(bytes);
  return { value: bytes, before: place, text: `"resourceVersion":"${revision}",`, from: place };
}

/** An item of a list, whose kind is in the list's head. */
export function splicedItem({ value, revision }: Pick<Entry, 'value' | 'revision'>): Spliced {
  const bytes = asBuffer(value);
  return {
    value: bytes,
    before: 0,
    text: `{"metadata":{"resourceVersion":"${revision}",`,
    from: versionPlace(bytes),
  };
}

/** The bytes of a response, followed by a suffix. */
export function withVersion(value: Uint8Array, revision: number, behind = ''): Buffer {
  const spliced = splicedObject({ value, revision });
  const length = lengthOf(spliced);
  const bytes = Buffer.allocUnsafe(length + behind.length);
  writeSpliced(spliced, bytes, 0);
  bytes.write(behind, length, 'latin1');
  return bytes;
}

export function decodeObject({ value, revision }: Pick<Entry, 'value' | 'revision'>): KubeObject {
  const object = parseJson(asBuffer(value).toString()) as unknown as KubeObject;
  object.metadata.resourceVersion = String(revision);
  return object;
}

const namesOf = ({ metadata }: KubeObject): Record<string, string> => ({
  'metadata.name': metadata.name ?? '',
  'metadata.namespace': metadata.namespace ?? '',
});

export function fieldsOf({ strategy }: ResourceKind, object: KubeObject): Record<string, string> {
  const fields = namesOf(object);
  for (const [name, read] of Object.entries(strategy.selectableFields ?? {})) fields[name] = read(object);
  return fields;
}

/** Only the values that selectors read, as many objects are cached. */
interface Seen {
  labels: Record<string, string>;
  names: Record<string, string>;
  /** Undefined if a selectable field is not in the outline. */
  fields: Record<string, string> | undefined;
}

/** Parsed only when a selector needs it. */
export class ShownObject implements Shown {
  readonly key: string;
  readonly #kind: ResourceKind;
  readonly #value: Uint8Array;
  readonly #revision: number;
  #seen: Seen | undefined;
  #bytes: Buffer | undefined;

  constructor(kind: ResourceKind, key: string, value: Uint8Array, revision: number) {
    this.key = key;
    this.#kind = kind;
    this.#value = value;
    this.#revision = revision;
  }

  get bytes(): Buffer {
    this.#bytes ??= withVersion(this.#value, this.#revision);
    return this.#bytes;
  }

  get labels(): Record<string, string> {
    return this.#look().labels;
  }

  get names(): Record<string, string> {
    return this.#look().names;
  }

  get fields(): Record<string, string> {
    const seen = this.#look();
    seen.fields ??= fieldsOf(this.#kind, decodeObject({ value: this.#value, revision: this.#revision }));
    return seen.fields;
  }

  async look(hasFields: boolean): Promise<void> {
    this.#seen ??= this.#seenIn(await outlineInSlices(this.#value));
    if (hasFields) this.#seen.fields ??= fieldsOf(this.#kind, await readInSlices(this.#value));
  }

  #look(): Seen {
    this.#seen ??= this.#seenIn(outlineOf(this.#value));
    return this.#seen;
  }

  #seenIn({ object, leavesOut }: Outline): Seen {
    const { strategy } = this.#kind;
    const isEnough = !strategy.selectableFields || leavesOut.every((field) => field === 'data');
    return {
      labels: object.metadata.labels ?? {},
      names: namesOf(object),
      fields: isEnough ? fieldsOf(this.#kind, object) : undefined,
    };
  }
}
