/** `kubectl --as`: a user who is allowed to impersonate in the control plane acts as another user for one request (IMP-2). */

import type { Headers } from '@fleet/client/upstream.ts';
import { type Impersonation, impersonationIn, wantsMoreThanName } from '@fleet/kube/impersonation-headers.ts';
import { badRequest, forbidden, qualified, type StatusError } from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import type { AccessReviewer, Attributes } from './access-review.ts';

function readHeaders(headers: Headers): Impersonation | undefined {
  const requested = impersonationIn(headers);
  if (requested.name) return requested;
  if (wantsMoreThanName(requested)) throw badRequest('requested [groups, uid or extra] impersonation without a user');
  return undefined;
}

const serviceAccount = /^system:serviceaccount:([^:]+):([^:]+)$/;

type ResourceAttributes = Extract<Attributes, { resource: unknown }>['resource'];

/** One permission per impersonated name, group, uid and extra, as in kube-apiserver. */
function neededPermissions({ name, uid, groups, extra }: Impersonation): ResourceAttributes[] {
  const need = (
    group: string,
    resource: string,
    what: string,
    more: { namespace?: string; subresource?: string } = {},
  ): ResourceAttributes => ({ verb: 'impersonate', group, resource, name: what, ...more });
  const account = serviceAccount.exec(name);
  return [
    account ? need('', 'serviceaccounts', account[2]!, { namespace: account[1]! }) : need('', 'users', name),
    ...groups.map((group) => need('', 'groups', group)),
    ...(uid === '' ? [] : [need('authentication.k8s.io', 'uids', uid)]),
    ...Object.entries(extra).flatMap(([key, list]) =>
      list.map((value) => need('authentication.k8s.io', 'userextras', value, { subresource: key })),
    ),
  ];
}

/** The groups that Kubernetes adds to an impersonated user. */
function impliedGroups({ name, groups }: Impersonation): string[] {
  const account = serviceAccount.exec(name);
  if (account && groups.length === 0) {
    return ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`, 'system:authenticated'];
  }
  if (groups.includes('system:unauthenticated')) return groups;
  const implied = name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  return groups.includes(implied) ? groups : [...groups, implied];
}

/** With kube-apiserver's message. */
function refusal(user: User, { group, resource, subresource, namespace, name = '' }: ResourceAttributes): StatusError {
  const what = { group, resource };
  const asked = subresource ? `${resource}/${subresource}` : resource;
  const scope = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope';
  return forbidden(
    `${qualified(what)} "${name}" is forbidden: User "${user.name}" cannot impersonate resource "${asked}" in API group "${group}" ${scope}`,
    what,
    name,
  );
}

export async function impersonated(user: User, headers: Headers, reviews: AccessReviewer): Promise<User> {
  const requested = readHeaders(headers);
  if (!requested) return user;
  for (const permission of neededPermissions(requested)) {
    if (!(await reviews.isAllowed(user, { resource: permission }))) throw refusal(user, permission);
  }
  return {
    name: requested.name,
    uid: requested.uid || undefined,
    groups: impliedGroups(requested),
    extra: requested.extra,
    origin: 'other',
  };
}
