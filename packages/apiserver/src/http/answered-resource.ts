/** A virtual resource that is only answered and never stored, such as access reviews; or a subresource with a kind of its own. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { withoutNulls } from '../patch/without-nulls.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { FieldOwner, managerOf } from './field-owner.ts';
import { negotiated } from './media.ts';
import { type ApiReply, jsonReply, oneHeader } from './message.ts';
import { builtInTypes } from './object-types.ts';
import { refuseOtherNamespace } from './read-object.ts';
import { readObject } from './strict-object.ts';
import { partialMetadata } from './table.ts';
import type { Call } from './verb.ts';
import { readWriteOptions } from './write-options.ts';

export interface AnsweredPath {
  group: string;
  version: string;
  resource: string;
  subresource?: string | undefined;
}

export interface AnsweredResource {
  at: AnsweredPath;
  /** The kind of request and response. */
  kind: ResourceKind;
  read(call: Call): KubeObject;
  answer(object: KubeObject, call: Call): Promise<object>;
}

/** `admit` refuses objects that may not be created there, once it is known what is requested. */
export async function answerCreate(
  { read, answer }: AnsweredResource,
  call: Call,
  admit: () => Promise<void>,
): Promise<ApiReply> {
  // It cannot be listed, so it has no columns.
  const { form, version } = negotiated(oneHeader(call.request, 'accept'), {
    forms: ['object', 'PartialObjectMetadata'],
  });
  const asked = read(call);
  await admit();
  const object = await answer(asked, call);
  // A Status has no other form.
  const isWhole = form === 'object' || (object as KubeObject).kind === 'Status';
  return jsonReply(201, isWhole ? object : partialMetadata(object as KubeObject, {}, version));
}

/** Metadata that only the server sets. */
const systemFields = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

interface ReaderOptions {
  subresource?: string;
  /** Sets fields that were left out. */
  complete?(object: KubeObject): KubeObject;
}

const asItIs = (object: KubeObject): KubeObject => object;

/** Decodes the body as an object of the kind, with the field manager as its owner. Nulls are dropped. */
export function answeredReader(kind: ResourceKind, { subresource = '', complete = asItIs }: ReaderOptions = {}) {
  const types = builtInTypes(kind);
  const owner = new FieldOwner(types);
  return (call: Call): KubeObject => {
    const { request, query } = call;
    const { fieldValidation } = readWriteOptions(query, 'CreateOptions');
    const { status: _, ...sent } = readObject(kind, types, call, fieldValidation);
    if (kind.namespaced) refuseOtherNamespace(sent as KubeObject, call.ask.namespace);
    else delete sent.metadata.namespace;
    // A subresource's object names its parent by these fields.
    if (!subresource) for (const field of systemFields) delete sent.metadata[field];
    const object = complete(withoutNulls(sent as unknown as JsonObject) as unknown as KubeObject);
    return owner.tracked(undefined, object, managerOf(request, query), subresource);
  };
}

/** A kind that is never stored. */
export const passingKind = (names: Pick<ResourceKind, 'group' | 'version' | 'kind' | 'namespaced'>): ResourceKind => ({
  ...names,
  singular: names.kind.toLowerCase(),
  resource: `${names.kind.toLowerCase()}s`,
  allowsUnconditionalUpdate: false,
  nameFaults: () => [],
  strategy: {},
});
