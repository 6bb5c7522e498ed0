/** A resource that is answered and never kept, such as the reviews; or a subresource with a kind of its own. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { withoutNulls } from '../patch/without-nulls.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { FieldOwner, managerOf } from './field-owner.ts';
import { type ApiReply, jsonReply } from './message.ts';
import { builtInTypes } from './object-types.ts';
import { readJson } from './read-object.ts';
import type { Call } from './verbs.ts';

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
  create(call: Call): Promise<object>;
}

export const answerCreate = async ({ create }: AnsweredResource, call: Call): Promise<ApiReply> =>
  jsonReply(201, await create(call));

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
  return ({ request, query }: Call): KubeObject => {
    const { status: _, ...sent } = types.read(readJson(request, kind.kind));
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
