/** What reads bytes that are no text: protobuf, and frames of WebSockets. */

import { body, bytes, group, message, number, text as textField } from '@fleet/kube/protobuf/body.fixture.ts';
import { jsonOfProtobuf } from '@fleet/kube/protobuf/json-of-protobuf.ts';
import { FrameReader } from '@fleet/kube/spdy/frame-reader.ts';
import { controlFrame, dataFrame, types, windowUpdate } from '@fleet/kube/spdy/frames.ts';
import { HeaderReader, HeaderWriter, numbers } from '@fleet/kube/spdy/header-block.ts';
import { ClientFrames } from '@fleet/kube/websocket/frames.ts';
import { openApiV2, openApiV3 } from '@fleet/server/discovery/openapi/versions.ts';
import { asWebSocket } from '@fleet/server/http/websocket.ts';
import type { Read } from './growth.ts';
import { little, many, type Structured, some } from './structured.ts';
import type { Shape } from './texts.ts';

/** Bytes as a text of as many letters. */
const binary = (make: (length: number) => Buffer) => (length: number) => make(length).toString('latin1');
const ofBinary =
  (read: (bytes: Buffer) => unknown): Read =>
  (text) =>
    read(Buffer.from(text, 'latin1'));

const nested = (depth: number, field: number, innermost: Buffer): Buffer =>
  many(depth, () => 0).reduce<Buffer>((inner) => message(field, inner), innermost);

/** Whose key reaches to the end of the message: Go does not mind, and begins anew behind each entry. */
function overlappingEntries(length: number): Buffer {
  const metadata: number[] = [];
  const size = 8;
  for (let left = Math.floor(length / size); left > 0; left--) {
    const rest = left * size - 6;
    // Field 11 (labels), 6 bytes long: key (field 1) of all that follows.
    metadata.push(0x5a, 6, 0x0a, 0x80 | (rest & 0x7f), 0x80 | ((rest >> 7) & 0x7f), (rest >> 14) & 0x7f, 0, 0);
  }
  return body('v1', 'Pod', bytes(1, Buffer.from(metadata)));
}

const protobuf: Shape[] = [
  {
    name: 'labels',
    make: (n: number) =>
      body('v1', 'Pod', message(1, ...many(n / 12, (i) => message(11, textField(1, `k${i}`), textField(2, 'v'))))),
  },
  {
    name: 'one message in many parts',
    make: (n: number) => body('v1', 'Pod', ...many(n / 8, () => message(1, textField(1, 'name')))),
  },
  {
    name: 'containers',
    make: (n: number) => body('v1', 'Pod', message(2, ...many(n / 8, () => message(2, textField(1, 'name'))))),
  },
  { name: 'unknown fields', make: (n: number) => body('v1', 'Pod', ...many(n / 8, () => textField(100, 'name'))) },
  { name: 'groups', make: (n: number) => body('v1', 'Pod', ...many(n / 6, () => group(100, number(1, 1)))) },
  { name: 'open groups', make: (n: number) => body('v1', 'Pod', Buffer.alloc(n, 0x63)) },
  {
    name: 'no text',
    make: (n: number) => body('v1', 'ConfigMap', message(2, textField(1, 'a'), bytes(2, Buffer.alloc(n, 0xff)))),
  },
  {
    name: 'a quantity',
    make: (n: number) =>
      body('v1', 'ResourceQuota', message(2, message(1, textField(1, 'cpu'), message(2, textField(1, '9'.repeat(n)))))),
  },
  {
    name: 'quantities',
    make: (n: number) =>
      body(
        'v1',
        'ResourceQuota',
        message(2, message(1, textField(1, 'cpu'), message(2, ...many(n / 4, () => textField(1, '1'))))),
      ),
  },
  {
    name: 'depth',
    make: (n: number) =>
      body(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        message(2, message(7, message(4, message(1, nested(Math.min(n / 6, 450), 28, textField(5, 'object')))))),
      ),
  },
  {
    name: 'depth beyond measure',
    make: (n: number) =>
      body(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        message(2, message(7, message(4, message(1, nested(n / 40, 28, textField(5, 'object')))))),
      ),
  },
  { name: 'a kind', make: (n: number) => body('/'.repeat(n), 'a/'.repeat(n / 2)) },
  {
    name: 'raw JSON',
    make: (n: number) =>
      body(
        'apps/v1',
        'ControllerRevision',
        message(2, bytes(1, Buffer.from(`{"a":${'['.repeat(n / 2)}${']'.repeat(n / 2)}}`))),
      ),
  },
].map(({ name, make }) => ({ name, make: binary(make) }));

const documents: Shape[] = [
  { name: 'entries', make: (n: number) => message(9, ...many(n / 8, () => message(1, textField(1, 'name')))) },
  { name: 'entries without names', make: (n: number) => message(9, ...many(n / 4, () => message(1, number(2, 1)))) },
  { name: 'an endless number', make: (n: number) => Buffer.alloc(n, 0xff) },
  {
    name: 'sections',
    make: (n: number) => Buffer.concat(many(n / 8, () => message(5, message(1, message(1, textField(1, 'a')))))),
  },
].map(({ name, make }) => ({ name, make: binary(make) }));

const masked = (opcode: number, payload: number, isLast = true): Buffer =>
  Buffer.concat([Buffer.from([(isLast ? 0x80 : 0) | opcode, 0x80 | payload, 1, 2, 3, 4]), Buffer.alloc(payload)]);
const frames: Shape[] = [
  { name: 'pings', make: (n: number) => Buffer.concat(many(n / 6, () => masked(9, 0))) },
  { name: 'full pings', make: (n: number) => Buffer.concat(many(n / 131, () => masked(9, 125))) },
  { name: 'fragments', make: (n: number) => Buffer.concat(many(n / 7, () => masked(0, 1, false))) },
  {
    name: 'one message',
    make: (n: number) => Buffer.concat([Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0]), Buffer.alloc(n)]),
  },
  {
    name: 'a ping that is too long',
    make: (n: number) => Buffer.concat([Buffer.from([0x89, 0xfe, 0x7f, 0xff]), Buffer.alloc(n)]),
  },
].map(({ name, make }) => ({ name, make: binary(make) }));
const framesIn = (size: number): Read =>
  ofBinary((sent) => {
    const heard = new ClientFrames({ ping() {}, close() {}, broken() {} });
    for (let at = 0; at < sent.length; at += size) {
      for (let rest = sent.subarray(at, at + size); rest.length > 0; ) rest = heard.take(rest);
    }
  });

const synStreams = (count: number): Buffer => {
  const writer = new HeaderWriter();
  return Buffer.concat(
    many(count, (index) =>
      controlFrame(
        types.synStream,
        0,
        Buffer.concat([numbers(2 * index + 1, 0), Buffer.alloc(2), writer.write(new Map([['a', 'b']]))]),
      ),
    ),
  );
};
const spdy: Shape[] = [
  { name: 'pings', make: (n: number) => Buffer.concat(many(n / 12, () => controlFrame(types.ping, 0, numbers(1)))) },
  { name: 'streams', make: (n: number) => synStreams(n / 45) },
  { name: 'little data', make: (n: number) => Buffer.concat(many(n / 9, () => dataFrame(1, Buffer.from('x'), false))) },
  { name: 'windows', make: (n: number) => Buffer.concat(many(n / 16, () => windowUpdate(1, 1))) },
  { name: 'one frame', make: (n: number) => dataFrame(1, Buffer.alloc(n), true) },
].map(({ name, make }) => ({ name, make: binary(make) }));
const spdyIn = (size: number): Read =>
  ofBinary((sent) => {
    const headers = new HeaderReader();
    const reader = new FrameReader({
      control: ({ type, payload }) => {
        if (type === types.synStream) headers.read(payload.subarray(10));
      },
      data() {},
    });
    for (let at = 0; at < sent.length; at += size) {
      for (let rest = sent.subarray(at, at + size); rest.length > 0; ) rest = reader.take(rest);
    }
  });

export const messages: Record<string, Structured> = {
  protobuf: {
    length: some,
    read: ofBinary((sent) => jsonOfProtobuf(sent, { apiVersion: 'v1', kind: 'Pod' })),
    shapes: protobuf,
  },
  'entries of maps in protobuf': {
    length: little,
    read: ofBinary((sent) => jsonOfProtobuf(sent)),
    shapes: [{ name: 'that overlap', make: binary(overlappingEntries) }],
  },
  'OpenAPI in protobuf': {
    length: some,
    read: ofBinary((sent) => [openApiV2, openApiV3].map(({ forms }) => [...forms[1]!.parts(sent)])),
    shapes: documents,
  },
  'frames of a WebSocket': {
    length: some,
    read: framesIn(64 * 1024),
    shapes: frames,
  },
  'frames of a WebSocket, byte by byte': {
    length: some,
    read: framesIn(1),
    shapes: frames,
  },
  'frames of SPDY': {
    length: some,
    read: spdyIn(64 * 1024),
    shapes: spdy,
  },
  'frames of SPDY, byte by byte': {
    length: some,
    read: spdyIn(1),
    shapes: spdy,
  },
};

/** A browser's request to change protocols, as far as its headers can be long. */
export const handshake: Read = (text) => {
  const headers = { 'sec-websocket-key': text, 'sec-websocket-version': '13' };
  const protocols = { 'sec-websocket-protocol': text };
  for (const refused of [
    { ...headers, ...protocols, upgrade: text },
    { ...headers, ...protocols, upgrade: 'websocket' },
  ]) {
    try {
      answer(refused);
    } catch {
      // The next one is read all the same: it gets further.
    }
  }
  // Without protocols the key is hashed.
  answer({ ...headers, upgrade: 'websocket' });
};

const answer = (headers: Record<string, string>) =>
  asWebSocket({ is: 'plain', status: 200, headers: {}, body: Buffer.alloc(0) }, { headers });
