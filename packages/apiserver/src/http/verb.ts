/** The context that verbs work with. */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { Status } from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import type { Mutate, Validate } from './admitted.ts';
import type { FieldOwner } from './field-owner.ts';
import type { ApiReply, ApiRequest } from './message.ts';
import type { RequestedForm } from './object-forms.ts';
import type { ObjectTypes } from './object-types.ts';
import type { WriteOnThread } from './watch-reply.ts';

export interface Resource {
  printed: PrintedKind;
  registry: ObjectRegistry;
  types: ObjectTypes;
  owner: FieldOwner;
  /** Refuses objects that the server does not accept at all, such as those of a missing namespace. */
  admit(object: KubeObject): Promise<unknown>;
  /** Runs mutating admission, and refuses what it does not allow. */
  mutate?: Mutate | undefined;
  /** Runs validating admission on objects that are defaulted and valid. */
  validate?: Validate | undefined;
  /** Refuses a write that this user is not allowed, though it has permission for the resource. */
  guard?: Guard | undefined;
}

/** `old` is undefined for a new object. */
export type Guard = (write: Pick<Call, 'user' | 'ask'> & Written) => Promise<void>;

interface Written {
  object: KubeObject;
  old: KubeObject | undefined;
}

export interface Call {
  request: ApiRequest;
  ask: ResourceRequest;
  query: URLSearchParams;
  user: User;
  /** Sends the client a warning with the response. */
  warn(text: string): void;
  /** Why the user is not allowed to create an object that an update or patch does not find; undefined if allowed. */
  createRefused?: Status | undefined;
  /** In bytes: a larger object is not decoded; `TooLargeHere` is thrown instead. */
  atMost?: number | undefined;
  /** Encodes the events of larger objects. */
  writeOnThread?: WriteOnThread | undefined;
}

export type Verb = (resource: Resource, call: Call, requested: RequestedForm) => Promise<ApiReply>;
