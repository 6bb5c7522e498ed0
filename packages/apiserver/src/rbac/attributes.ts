/** The attributes of a request that authorization checks. */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { User } from '../authn/user.ts';

export interface ResourceAttributes {
  verb: string;
  group: string;
  resource: string;
  subresource?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
}

export interface PathAttributes {
  verb: string;
  path: string;
}

export type Attributes = ResourceAttributes | PathAttributes;

export interface Decision {
  allowed: boolean;
  /** The reason, for access reviews; may be empty. */
  reason: string;
}

export interface Authorizer {
  decide(user: User, attributes: Attributes): Decision;
}

export const attributesOf = ({ verb, group, resource, subresource, namespace, name }: ResourceRequest): Attributes => ({
  verb,
  group,
  resource,
  subresource,
  namespace,
  name,
});
