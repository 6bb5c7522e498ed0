/** A resource that is answered and never kept, such as the reviews; or a subresource with a kind of its own. */

import type { ResourceKind } from '../registry/resource-kind.ts';
import { type ApiReply, jsonReply } from './message.ts';
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

/** A kind of which nothing is kept. */
export const passingKind = (names: Pick<ResourceKind, 'group' | 'version' | 'kind' | 'namespaced'>): ResourceKind => ({
  ...names,
  singular: names.kind.toLowerCase(),
  resource: `${names.kind.toLowerCase()}s`,
  allowsUnconditionalUpdate: false,
  nameFaults: () => [],
  strategy: {},
});
