/**
 * Objects as the store keeps them: JSON without its version, which is the store's revision and is put in on the way out.
 *
 *   {"kind":"…","apiVersion":"…","metadata":{    name, labels, … and the rest of the object
 *   ^ left out in lists of built-in kinds    ^ "resourceVersion":"…", goes in here
 */

import { type JsonValue, jsonText, parseJson } from '@fleet/kube/json-value.ts';
import type { Entry } from '../store/object-store.ts';
import type { Shown } from '../watch-cache/shared-event.ts';
import type { KubeObject } from './kube-object.ts';
import { outlineOf } from './outline.ts';
import type { ResourceKind } from './resource-kind.ts';

export function encodeObject({ kind, apiVersion, metadata, ...rest }: KubeObject): Buffer {
  const { resourceVersion: _, ...kept } = metadata;
  return Buffer.from(jsonText({ kind, apiVersion, metadata: kept, ...rest } as unknown as JsonValue));
}

const metadataStart = Buffer.from('"metadata":{');

const versionPlace = (value: Buffer): number => value.indexOf(metadataStart) + metadataStart.length;

const asBuffer = (value: Uint8Array): Buffer => Buffer.from(value.buffer, value.byteOffset, value.byteLength);

/** The bytes of an answer. */
export function withVersion(value: Uint8Array, revision: number): Buffer {
  const bytes = asBuffer(value);
  const place = versionPlace(bytes);
  return Buffer.concat([
    bytes.subarray(0, place),
    Buffer.from(`"resourceVersion":"${revision}",`),
    bytes.subarray(place),
  ]);
}

/** The bytes of an item of a list whose head names the kind. */
export function itemWithVersion(value: Uint8Array, revision: number): Buffer {
  const bytes = asBuffer(value);
  return Buffer.concat([
    Buffer.from(`{"metadata":{"resourceVersion":"${revision}",`),
    bytes.subarray(versionPlace(bytes)),
  ]);
}

export function decodeObject({ value, revision }: Pick<Entry, 'value' | 'revision'>): KubeObject {
  const object = parseJson(asBuffer(value).toString()) as unknown as KubeObject;
  object.metadata.resourceVersion = String(revision);
  return object;
}

export function fieldsOf({ strategy }: ResourceKind, object: KubeObject): Record<string, string> {
  const fields: Record<string, string> = {
    'metadata.name': object.metadata.name ?? '',
    'metadata.namespace': object.metadata.namespace ?? '',
  };
  for (const [name, read] of Object.entries(strategy.selectableFields ?? {})) fields[name] = read(object);
  return fields;
}

/** Parsed only if a selector looks. */
export class ShownObject implements Shown {
  readonly key: string;
  readonly #kind: ResourceKind;
  readonly #value: Uint8Array;
  readonly #revision: number;
  #outline: ReturnType<typeof outlineOf> | undefined;
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
    return this.#seen().object.metadata.labels ?? {};
  }

  get fields(): Record<string, string> {
    const { object, leavesOut } = this.#seen();
    const isEnough = !this.#kind.strategy.selectableFields || leavesOut.every((field) => field === 'data');
    return fieldsOf(this.#kind, isEnough ? object : decodeObject({ value: this.#value, revision: this.#revision }));
  }

  #seen(): ReturnType<typeof outlineOf> {
    this.#outline ??= outlineOf(this.#value);
    return this.#outline;
  }
}
