/**
 * Converts request bodies in Kubernetes' protobuf to the JSON that Go makes of the same object (LIST-9).
 *
 *   body      `k8s\0`, then runtime.Unknown
 *   Unknown   1 typeMeta { 1 apiVersion, 2 kind }, 2 raw: the object, 3 contentEncoding, 4 contentType
 */

import { badRequest, StatusError } from '../status.ts';
import { decodeMessage, type Message } from './decode.ts';
import { envelopeType, kindType } from './schema.ts';
import { WireError } from './wire.ts';
import { JsonWriter } from './write-json.ts';

export interface ObjectKind {
  apiVersion: string;
  kind: string;
}

const magic = Buffer.from('k8s\0');

/**
 * JSON of a built-in kind, `apiVersion` and `kind` first. `asked` is the kind that the URL accepts: it is the default where the body
 * names none, and errors name it. Whatever the bytes are, only a StatusError is thrown.
 */
export function jsonOfProtobuf(body: Buffer, asked?: ObjectKind): Buffer {
  let named: ObjectKind | undefined;
  try {
    const envelope = openEnvelope(body);
    named = kindOf(envelope, asked);
    const message = decodeMessage(typeOf(named), (envelope.values[1] as Buffer | undefined) ?? Buffer.alloc(0));
    const writer = new JsonWriter();
    writer.object(message, { apiVersion: named.apiVersion, kind: named.kind });
    return writer.toBuffer();
  } catch (cause) {
    if (cause instanceof StatusError) throw cause;
    if (!(cause instanceof WireError)) throw cause;
    throw named ? cannotBeHandled(named, asked, cause) : unrecognized(body, asked, cause);
  }
}

function openEnvelope(body: Buffer): Message {
  if (body.length === 0) throw new WireError('empty data');
  if (!body.subarray(0, magic.length).equals(magic)) {
    const expected = `expected prefix [${magic.join(' ')}]`;
    throw new WireError(`provided data does not appear to be a protobuf message, ${expected}`);
  }
  if (body.length === magic.length) throw new WireError('empty body');
  return decodeMessage(envelopeType(), body.subarray(magic.length));
}

/** The kind that the body names, with `asked` as the default. */
function kindOf(envelope: Message, asked: ObjectKind | undefined): ObjectKind {
  const [ownVersion = '', ownKind = ''] = ((envelope.values[0] as Message | undefined)?.values ?? []) as string[];
  const kind = ownKind || asked?.kind;
  // With more than one slash it is not a valid version.
  const apiVersion = (ownVersion.split('/').length <= 2 && ownVersion) || asked?.apiVersion;
  const typeMeta = `runtime.TypeMeta{APIVersion:${JSON.stringify(ownVersion)}, Kind:${JSON.stringify(ownKind)}}`;
  if (!kind) throw new WireError(`Object 'Kind' is missing in '${typeMeta}'`);
  if (!apiVersion) throw new WireError(`Object 'apiVersion' is missing in '${typeMeta}'`);
  return { apiVersion, kind };
}

function typeOf({ apiVersion, kind }: ObjectKind) {
  const type = kindType(apiVersion, kind);
  if (type) return type;
  const scheme = 'pkg/api/legacyscheme/scheme.go:30';
  throw new WireError(`no kind "${kind}" is registered for version "${apiVersion}" in scheme "${scheme}"`);
}

const versionOf = ({ apiVersion }: ObjectKind): string => apiVersion.split('/').at(-1)!;

const cannotBeHandled = (named: ObjectKind, asked: ObjectKind | undefined, cause: WireError): StatusError =>
  badRequest(
    `${named.kind} in version "${versionOf(named)}" cannot be handled as a ${(asked ?? named).kind}: ${cause.message}`,
    { cause },
  );

function unrecognized(body: Buffer, asked: ObjectKind | undefined, cause: WireError): StatusError {
  const must = asked ? ` (must be of type ${asked.kind})` : '';
  return badRequest(`the object provided is unrecognized${must}: ${cause.message} (${summary(body)})`, { cause });
}

const shown = 30;

/** The beginning of the body, as kube-apiserver shows it. */
function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const begin = body.subarray(0, shown).toString(body[0] === '{'.charCodeAt(0) ? 'utf8' : 'hex');
  return body.length > shown ? `${begin} ...` : begin;
}
