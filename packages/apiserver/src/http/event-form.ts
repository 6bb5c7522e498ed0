/** The forms of watch events that require decoded objects. Events of large objects are encoded on a worker thread (LIMIT-3). */

import { type JsonObject, parseJson } from '@fleet/kube/json-value.ts';
import type { Form as ObjectForm } from '@fleet/kube/negotiate.ts';
import { lengthed, protobufOfJson } from '@fleet/kube/protobuf/encode.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import type { EventType } from '../watch-cache/shared-event.ts';
import { type IncludeObject, partialMetadata, tableHead, tableRow } from './table.ts';

/** The requested form, in a form that can be sent to another thread. */
export interface EventForm {
  form: ObjectForm;
  isProtobuf: boolean;
  /** Of a Table. */
  version: string;
  include: IncludeObject;
  /** Columns are sent with the first event. */
  isFirst: boolean;
}

/** One event, to be encoded on a worker thread. */
export interface LongEvent {
  type: EventType;
  object: Uint8Array;
  form: EventForm;
}

export const line = (type: string, object: unknown): Buffer => Buffer.from(`${JSON.stringify({ type, object })}\n`);

/** The bytes of an object, wrapped into an event. */
export const plainLine = (type: EventType, object: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object, Buffer.from('}\n')]);

export function writeEvent({ type, object, form }: LongEvent, printed: PrintedKind): Buffer {
  const written = writeLine(type, object, printed, form);
  return form.isProtobuf ? protobufEvent(written) : written;
}

function writeLine(type: EventType, bytes: Uint8Array, printed: PrintedKind, form: EventForm): Buffer {
  if (form.form === 'object') return plainLine(type, bytes);
  const object = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as KubeObject;
  if (form.form !== 'Table') return line(type, partialMetadata(object, printed));
  const table = { printed, now: Date.now(), include: form.include, version: form.version };
  const head = tableHead({ resourceVersion: object.metadata.resourceVersion }, table, form.isFirst);
  return line(type, { ...head, rows: [tableRow(object, table)] });
}

/**
 * An event in protobuf, prefixed by its length.
 *
 *   frame        4 bytes: the length, big endian; then WatchEvent
 *   WatchEvent   1 type, 2 object { 1 raw: an object as in a response of its own }
 */
export function protobufEvent(written: Uint8Array): Buffer {
  const { type, object } = parseJson(Buffer.from(written).toString()) as { type: string; object: JsonObject };
  // The form was negotiated, so the kind has one.
  const raw = protobufOfJson(object) ?? Buffer.alloc(0);
  const event = Buffer.concat([lengthed(1, Buffer.from(type)), lengthed(2, lengthed(1, raw))]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}
