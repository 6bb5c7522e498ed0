/**
 * Protobuf without a schema, as a text to compare. The wire has tag = field << 3 | type, then by type a varint, 8 bytes,
 * a length and that many bytes (text, bytes or a message), or 4 bytes. Kubernetes puts "k8s\0" before the first message.
 */
import { normaliseText, sortErrors } from './text.ts';

export function protobufText(bytes: Buffer, scope: string): string {
  const magic = bytes.subarray(0, 4).toString('latin1') === 'k8s\0';
  const message = dump(magic ? bytes.subarray(4) : bytes, scope, '');
  return message === undefined ? `not protobuf: ${bytes.toString('hex')}` : `${magic ? 'k8s' : 'bare'}\n${message}`;
}

function varint(bytes: Buffer, at: number): [bigint, number] | undefined {
  let value = 0n;
  for (let shift = 0n; at < bytes.length && shift < 70n; shift += 7n) {
    const byte = bytes[at++] ?? 0;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return [value, at];
  }
  return undefined;
}

/** Undefined where the bytes are no message. */
function dump(bytes: Buffer, scope: string, indent: string): string | undefined {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = varint(bytes, at);
    if (!tag || tag[0] >> 3n === 0n || tag[0] >> 3n > 5000n) return undefined;
    const field = `${indent}${tag[0] >> 3n}`;
    at = tag[1];
    switch (Number(tag[0] & 7n)) {
      case 0: {
        const number = varint(bytes, at);
        if (!number) return undefined;
        lines.push(`${field}: ${running(number[0])}`);
        at = number[1];
        break;
      }
      case 1:
        lines.push(`${field}: ${bytes.subarray(at, at + 8).toString('hex')}`);
        at += 8;
        break;
      case 2: {
        const length = varint(bytes, at);
        if (!length || length[1] + Number(length[0]) > bytes.length) return undefined;
        at = length[1] + Number(length[0]);
        lines.push(`${field}: ${content(bytes.subarray(length[1], at), scope, indent)}`);
        break;
      }
      case 5:
        lines.push(`${field}: ${bytes.subarray(at, at + 4).toString('hex')}`);
        at += 4;
        break;
      default:
        return undefined;
    }
    if (at > bytes.length) return undefined;
  }
  return orderManaged(lines, `${indent}17: {`).join('\n');
}

/** managedFields (17 in ObjectMeta) are ordered by the second of their writing: here by their text. */
function orderManaged(lines: string[], start: string): string[] {
  const managed = lines.filter((line) => line.startsWith(start)).sort();
  return lines.map((line) => (line.startsWith(start) ? (managed.shift() ?? line) : line));
}

/** Seconds near now are the clock's; numbers in the node ports' range are allocated at random. */
function running(number: bigint): string {
  const value = Number(number);
  if (Math.abs(value - Date.now() / 1000) < 172_800) return '‹time›';
  return value >= 30_000 && value <= 32_767 ? '‹port›' : String(number);
}

/** A message may quote the whole object, whose fields stand in any order. */
const withoutObject = (text: string): string =>
  /^(?:Invalid value: | "" is invalid: )/.test(text) && /managedFields|creationTimestamp/.test(text)
    ? text.replace(/\{.*\}/s, '‹object›')
    : text;

function content(bytes: Buffer, scope: string, indent: string): string {
  const text = bytes.toString('utf8');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish a message from a text
  const printable = !/[\x00-\x08\x0a-\x1f\ufffd]/.test(text);
  // a text of digits may be a version, which counts the whole server's writes
  if (printable)
    return /^\d+$/.test(text) ? '‹digits›' : JSON.stringify(sortErrors(normaliseText(withoutObject(text), scope)));
  const message = dump(bytes, scope, `${indent}  `);
  return message === undefined ? JSON.stringify(normaliseText(text, scope)) : `{\n${message}\n${indent}}`;
}
