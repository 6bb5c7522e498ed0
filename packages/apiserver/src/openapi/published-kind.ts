/** The OpenAPI schema of a custom kind, with its name and group. A long one is encoded on a worker thread. */

import { Pace } from '@fleet/client/pace.ts';
import type { JsonObject } from '@fleet/kube/json-value.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import type { Schema } from '../schema/open-api.ts';
import { type OpenApiVersion, publishedObject } from './custom-schema.ts';
import { Schemas } from './schemas.ts';
import { schemaProtobuf } from './version-2-protobuf.ts';

/** The requested encoding. */
export interface DocumentForm {
  version: OpenApiVersion;
  isProtobuf: boolean;
}

/** The extension that names the kind of a schema, or of its list. */
export function naming({ group, version, strategy }: PrintedKind, kind: string) {
  const fields = Object.keys(strategy.selectableFields ?? {}).map((fieldPath) => ({ fieldPath }));
  return {
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
    ...(fields.length > 0 ? { 'x-kubernetes-selectable-fields': fields } : {}),
  } satisfies Schema;
}

export const publishedKind = async (
  printed: PrintedKind,
  schema: Schema,
  version: OpenApiVersion,
  pace: Pace,
): Promise<Schema> => ({ ...(await publishedObject(schema, version, pace)), ...naming(printed, printed.kind) });

/** Encoded for a document, without its name. */
export async function writtenKind(
  printed: PrintedKind,
  schema: Schema,
  { version, isProtobuf }: DocumentForm,
): Promise<Buffer> {
  const pace = new Pace();
  const schemas = new Schemas(version);
  await schemas.add(printed.kind, await publishedKind(printed, schema, version, pace), pace);
  const made = schemas.definitions.get(printed.kind) as JsonObject;
  return isProtobuf ? schemaProtobuf(made, pace) : Buffer.from(JSON.stringify(made));
}
