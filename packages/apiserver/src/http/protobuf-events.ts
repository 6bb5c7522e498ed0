/**
 * Events of a watch in protobuf: frames, each behind its length.
 *
 *   frame        4 bytes: how long, the highest first; then WatchEvent
 *   WatchEvent   1 type, 2 object { 1 raw: an object as in an answer of its own }
 */

import { type JsonObject, parseJson } from '@fleet/kube/json-value.ts';
import { lengthed, protobufOfJson } from '@fleet/kube/protobuf/encode.ts';

export async function* protobufEvents(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) {
    const { type, object } = parseJson(Buffer.from(line).toString()) as { type: string; object: JsonObject };
    // Who asks for it asks for kinds that have it.
    const raw = protobufOfJson(object) ?? Buffer.alloc(0);
    const event = Buffer.concat([lengthed(1, Buffer.from(type)), lengthed(2, lengthed(1, raw))]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(event.length);
    yield Buffer.concat([length, event]);
  }
}
