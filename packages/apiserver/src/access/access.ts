/** The steps before a request is served: authentication, impersonation and authorization. */

import type { Authenticate } from '../authn/authenticate.ts';
import { readImpersonation } from '../authn/impersonation-headers.ts';
import type { Enter } from '../http/message.ts';
import { type Attributes, type Authorizer, attributesOf } from '../rbac/attributes.ts';
import { refusal } from '../rbac/forbidden.ts';
import { createImpersonation } from './impersonation.ts';

export function createAccess(authenticate: Authenticate, authorizer: Authorizer): Enter {
  const impersonate = createImpersonation(authorizer);
  return async (request, ask) => {
    const caller = await authenticate(request);
    const attributes: Attributes =
      'path' in ask ? { verb: request.method.toLowerCase(), path: ask.path } : attributesOf(ask);
    const impersonated = readImpersonation(request.headers);
    const user = impersonated ? impersonate(impersonated, caller, attributes) : caller;
    const { allowed, reason } = authorizer.decide(user, attributes);
    if (!allowed) throw refusal(user, attributes, reason);
    return user;
  };
}
