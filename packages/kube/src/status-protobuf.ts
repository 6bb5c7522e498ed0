/**
 * Encodes a Status in Kubernetes' protobuf form: the magic bytes `k8s\0`, then `runtime.Unknown`.
 *
 *   Unknown       1 typeMeta { 1 apiVersion, 2 kind }, 2 raw, 3 contentEncoding, 4 contentType
 *   raw: Status   1 metadata { 1 selfLink, 2 resourceVersion, 3 continue }, 2 status, 3 message, 4 reason, 5 details, 6 code
 *   details       1 name, 2 group, 3 kind, 4 causes { 1 reason, 2 message, 3 field }, 5 retryAfterSeconds, 6 uid
 *
 * Empty strings and zeros are written, too, byte for byte as in Go's generated code.
 */

import type { Status, StatusCause, StatusDetails } from './status.ts';

const magic = Buffer.from('k8s\0');

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** Wire type 2: a string or a message, with its length. */
function field(number: number, value: string | Buffer = ''): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** Wire type 0. */
const numberField = (number: number, value: number): Buffer => Buffer.concat([varint(number * 8), varint(value)]);

const encodeCause = ({ reason, message, field: path }: StatusCause): Buffer =>
  Buffer.concat([field(1, reason), field(2, message), field(3, path)]);

const encodeDetails = ({ name, group, kind, causes = [], retryAfterSeconds = 0, uid }: StatusDetails): Buffer =>
  Buffer.concat([
    field(1, name),
    field(2, group),
    field(3, kind),
    ...causes.map((cause) => field(4, encodeCause(cause))),
    numberField(5, retryAfterSeconds),
    field(6, uid),
  ]);

export function encodeStatus({ apiVersion, kind, metadata, status, message, reason, details, code }: Status): Buffer {
  const raw = Buffer.concat([
    field(1, Buffer.concat([field(1), field(2), field(3, metadata.continue)])),
    field(2, status),
    field(3, message),
    field(4, reason),
    ...(details ? [field(5, encodeDetails(details))] : []),
    numberField(6, code),
  ]);
  const typeMeta = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([magic, field(1, typeMeta), field(2, raw), field(3), field(4)]);
}
