/** Before a request is served: who it is from, whom it wants to be, and whether that one may. */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import type { ApiRequest } from '../http/message.ts';
import { type Attributes, type Authorizer, attributesOf } from '../rbac/attributes.ts';
import { refusal } from '../rbac/forbidden.ts';
import type { Authenticate } from './authenticate.ts';
import { createImpersonation } from './impersonation.ts';
import { readImpersonation } from './impersonation-headers.ts';
import type { User } from './user.ts';

/** Throws 401, 403, or 400 for headers that make no sense. */
export type Enter = (request: ApiRequest, ask: ResourceRequest | { path: string }) => Promise<User>;

export function createAccess(authenticate: Authenticate, authorizer: Authorizer): Enter {
  const impersonate = createImpersonation(authorizer);
  return async (request, ask) => {
    const caller = await authenticate(request);
    const attributes: Attributes =
      'path' in ask ? { verb: request.method.toLowerCase(), path: ask.path } : attributesOf(ask);
    const wanted = readImpersonation(request.headers);
    const user = wanted ? impersonate(wanted, caller, attributes) : caller;
    const { allowed, reason } = authorizer.decide(user, attributes);
    if (!allowed) throw refusal(user, attributes, reason);
    return user;
  };
}
