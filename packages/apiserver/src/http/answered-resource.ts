/** A resource that is answered and never kept, such as the reviews; or a subresource with a kind of its own. */

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
  /** What is sent and comes back. */
  kind: ResourceKind;
  read(call: Call): KubeObject;
  answer(object: KubeObject, call: Call): Promise<object>;
}

/** `admit` refuses what may not be made there, once it is clear what is asked for. */
export async function answerCreate(
  { read, answer }: AnsweredResource,
  call: Call,
  admit: () => Promise<void>,
): Promise<ApiReply> {
  // There is nothing to list, so there are no columns.
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

/** What only the server says of an object. */
const systemFields = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

interface ReaderOptions {
  subresource?: string;
  /** Puts in what was left out. */
  complete?(object: KubeObject): KubeObject;
}

const asItIs = (object: KubeObject): KubeObject => object;

/** The body as an object of the kind, with who sent it as its owner. Nulls in it are nothing. */
export function answeredReader(kind: ResourceKind, { subresource = '', complete = asItIs }: ReaderOptions = {}) {
  const types = builtInTypes(kind);
  const owner = new FieldOwner(types);
  return (call: Call): KubeObject => {
    const { request, query } = call;
    const { fieldValidation } = readWriteOptions(query, 'CreateOptions');
    const { status: _, ...sent } = readObject(kind, types, call, fieldValidation);
    if (kind.namespaced) refuseOtherNamespace(sent as KubeObject, call.ask.namespace);
    else delete sent.metadata.namespace;
    // Of what is asked for below an object they say which one is meant.
    if (!subresource) for (const field of systemFields) delete sent.metadata[field];
    const object = complete(withoutNulls(sent as unknown as JsonObject) as unknown as KubeObject);
    return owner.tracked(undefined, object, managerOf(request, query), subresource);
  };
}

/** A kind of which nothing is kept. */
export const passingKind = (names: Pick<ResourceKind, 'group' | 'version' | 'kind' | 'namespaced'>): ResourceKind => ({
  ...names,
  singular: names.kind.toLowerCase(),
  resource: `${names.kind.toLowerCase()}s`,
  allowsUnconditionalUpdate: false,
  nameFaults: () => [],
  strategy: {},
});
