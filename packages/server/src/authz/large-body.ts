/** Authorises reading a large body that may name the target: the verb must be granted in at least one cluster first (SEC-3). */

import { forbidden } from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import type { Incoming } from '../http/message.ts';
import { type ClusterName, karmada, type ParsedTarget } from '../target/target.ts';
import type { AccessReviewer } from './access-review.ts';
import { attributesOf, refusal } from './authorize.ts';

/** In bytes. Reading a smaller body costs less than an access review. */
const smallBody = 8 * 1024;

/** A body of unknown length counts as large. */
export function isLargeBody({ body, headers }: Pick<Incoming, 'body' | 'headers'>): boolean {
  if (!body) return false;
  const length = Number(headers['content-length'] ?? Number.NaN);
  return !(length <= smallBody);
}

export interface BodyAuthorizer {
  /** Throws 403 if no place grants the user the request's verb. */
  authorizeBody(user: User, parsed: ParsedTarget): Promise<void>;
}

export function createBodyAuthorizer(reviews: AccessReviewer, members: () => readonly ClusterName[]): BodyAuthorizer {
  const isAllowedAtControlPlane = async (user: User, parsed: ParsedTarget): Promise<boolean> => {
    const { ask } = parsed;
    if (!canBeAtControlPlane(parsed) || ask.is !== 'resource') return false;
    const { verb, group, resource, subresource, namespace, name } = ask;
    const given = Object.entries({ subresource, namespace, name }).filter(([, value]) => value !== undefined);
    return reviews.isAllowed(user, { resource: { verb, group, resource, ...Object.fromEntries(given) } });
  };
  return {
    async authorizeBody(user, parsed) {
      const { place, permission } = parsed;
      const named = place.at === 'one' && place.cluster !== karmada ? place.cluster : undefined;
      if (await isAllowedAtControlPlane(user, parsed)) return;
      if (await reviews.isAllowed(user, attributesOf(permission, '*'))) return;
      const clusters = permission.name !== undefined ? [] : named === undefined ? members() : [named];
      const answers = await Promise.all(
        clusters.map((cluster) => reviews.isAllowed(user, attributesOf(permission, cluster))),
      );
      if (answers.includes(true)) return;
      throw place.at !== 'in-body' && canBeAtControlPlane(parsed)
        ? refusedByControlPlane(user, parsed)
        : refusal(user, permission, named);
    },
  };
}

/** With federation on, a body that names no cluster is for the control plane. */
const canBeAtControlPlane = ({ place, templates }: ParsedTarget): boolean =>
  place.at === 'one'
    ? place.cluster === karmada
    : place.at === 'template' || (place.at === 'in-body' && templates === true);

/** With kube-apiserver's message. */
function refusedByControlPlane(user: User, { ask, wire }: ParsedTarget) {
  if (ask.is !== 'resource') {
    return forbidden(`forbidden: User "${user.name}" cannot ${wire.method.toLowerCase()} path "${wire.path}"`);
  }
  const { verb, group, resource, subresource, namespace, name } = ask;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const qualified = group ? `${resource}.${group}` : resource;
  const named = name === undefined ? '' : ` "${name}"`;
  const asked = subresource === undefined ? resource : `${resource}/${subresource}`;
  const message = `${qualified}${named} is forbidden: User "${user.name}" cannot ${verb} resource "${asked}" in API group "${group}" ${where}`;
  return forbidden(message, { group, resource }, name);
}
