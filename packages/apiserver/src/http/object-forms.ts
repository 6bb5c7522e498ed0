/** Encodes an object, a list or a watch in the requested form. Objects in their stored form stay bytes. */

import { Pace } from '@fleet/client/pace.ts';
import { badRequest, notAcceptable, notOneObject } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { List, Listed } from '../registry/list.ts';
import { isCustom, type PrintedKind } from '../registry/printed-kind.ts';
import { apiVersionOf } from '../registry/resource-kind.ts';
import { decodeObject, splicedItem, splicedObject, withVersion } from '../registry/stored-object.ts';
import { listOfSpliced } from './list-bytes.ts';
import { negotiated, type Representation } from './media.ts';
import { type ApiReply, jsonReply, oneHeader } from './message.ts';
import { type IncludeObject, partialMetadata, type TableOptions, tableHead, tableRow } from './table.ts';
import type { Call } from './verb.ts';

export interface RequestedForm extends Representation {
  table: TableOptions;
}

export function requestedForm(
  { request, query, ask }: Pick<Call, 'request' | 'query' | 'ask'>,
  printed: PrintedKind,
): RequestedForm {
  // Even if a field selector contains a name.
  const isList = ['list', 'watch'].includes(ask.verb);
  const representation = negotiated(oneHeader(request, 'accept'), { isList, isCustom: isCustom(printed) });
  const include = (query.get('includeObject') || 'Metadata') as IncludeObject;
  if (!['None', 'Metadata', 'Object'].includes(include))
    throw badRequest(`unrecognized includeObject value: ${JSON.stringify(include)}`);
  return { ...representation, table: { printed, now: Date.now(), include, version: representation.version } };
}

export function objectReply(status: number, object: KubeObject, { form, table }: RequestedForm): ApiReply {
  switch (form) {
    case 'object':
      return jsonReply(status, object);
    case 'PartialObjectMetadata':
      return jsonReply(status, partialMetadata(object, table.printed, table.version));
    case 'Table': {
      const head = tableHead({ resourceVersion: object.metadata.resourceVersion }, table, true);
      return jsonReply(status, { ...head, rows: [tableRow(object, table)] });
    }
    case 'PartialObjectMetadataList':
      throw notAcceptable(['application/json']);
    default:
      return form satisfies never;
  }
}

/** The stored bytes can be sent without decoding them. */
export const isAsStored = ({ form, media }: RequestedForm): boolean =>
  form === 'object' && media === 'application/json';

export const storedReply = ({ value, revision }: Listed): ApiReply => jsonBody(withVersion(value, revision, '\n'));

export function listReply(list: List, { form, table }: RequestedForm): ApiReply {
  const metadata = {
    resourceVersion: String(list.revision),
    ...(list.continue ? { continue: list.continue } : {}),
    ...(list.remaining === undefined ? {} : { remainingItemCount: list.remaining }),
  };
  const { printed } = table;
  switch (form) {
    case 'object': {
      const head = { kind: printed.listKind ?? `${printed.kind}List`, apiVersion: apiVersionOf(printed), metadata };
      if (printed.listKind) {
        const whole = { ...head, metadata: { continue: '', ...metadata } };
        return jsonBody(listOfSpliced(whole, list.entries, splicedObject));
      }
      return jsonBody(listOfSpliced(head, list.entries, splicedItem));
    }
    case 'PartialObjectMetadataList': {
      const head = { kind: form, apiVersion: `meta.k8s.io/${table.version}`, metadata };
      return streamed(
        head,
        'items',
        list,
        (entry) => json(partialMetadata(decodeObject(entry), printed, table.version)),
        true,
      );
    }
    case 'Table':
      return streamed(
        tableHead(metadata, table, true),
        'rows',
        list,
        (entry) => json(tableRow(decodeObject(entry), table)),
        printed.columns === undefined,
      );
    case 'PartialObjectMetadata':
      throw notOneObject();
    default:
      return form satisfies never;
  }
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** In bytes. A long list is encoded in chunks, so that it is not in memory twice and does not block the event loop. */
const chunkBytes = 256 * 1024;

function streamed(
  head: object,
  field: string,
  { entries }: List,
  write: (entry: List['entries'][number]) => Buffer,
  isNil = false,
): ApiReply {
  async function* body(): AsyncGenerator<Buffer> {
    // Go writes a nil slice as null.
    if (entries.length === 0 && isNil) {
      yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"${field}":null}\n`);
      return;
    }
    let parts: Buffer[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"${field}":[`)];
    let size = 0;
    const pace = new Pace();
    for (const [index, entry] of entries.entries()) {
      if (pace.isDue) await pace.rest();
      const item = write(entry);
      parts.push(...(index === 0 ? [item] : [comma, item]));
      size += item.length;
      if (size < chunkBytes) continue;
      yield Buffer.concat(parts);
      [parts, size] = [[], 0];
      await pace.rest();
    }
    yield Buffer.concat([...parts, end]);
  }
  return jsonBody(body());
}

const jsonBody = (body: ApiReply['body']): ApiReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body,
});

const comma = Buffer.from(',');
const end = Buffer.from(']}\n');
