/** What a verb works with. */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { Status } from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { PrintedKind } from '../registry/printed-kind.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import type { Mutate, Validate } from './admitted.ts';
import type { FieldOwner } from './field-owner.ts';
import type { ApiReply, ApiRequest } from './message.ts';
import type { Wanted } from './object-forms.ts';
import type { ObjectTypes } from './object-types.ts';
import type { WriteElsewhere } from './watch-reply.ts';

export interface Resource {
  printed: PrintedKind;
  registry: ObjectRegistry;
  types: ObjectTypes;
  owner: FieldOwner;
  /** Refuses what the server as a whole does not want, such as objects in no namespace. */
  admit(object: KubeObject): Promise<unknown>;
  /** Puts in what admission gives an object, and refuses what it does not want. */
  mutate?: Mutate | undefined;
  /** Refuses what admission does not want of objects that are complete and valid. */
  validate?: Validate | undefined;
  /** Refuses what this user may not write, though they may write the resource. */
  guard?: Guard | undefined;
}

/** `old` is undefined for what is new. */
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
  /** Sends the client a warning beside the response. */
  warn(text: string): void;
  /** Why the user may not create what an update or a patch does not find; undefined if they may. */
  createRefused?: Status | undefined;
  /** In bytes: what is there and larger is not looked into, but thrown as `TooLargeHere`. */
  atMost?: number | undefined;
  /** Events of larger objects are written by it. */
  writeElsewhere?: WriteElsewhere | undefined;
}

export type Verb = (resource: Resource, call: Call, wanted: Wanted) => Promise<ApiReply>;
