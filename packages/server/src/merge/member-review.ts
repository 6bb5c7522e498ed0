/** Sends an access review to a member, as the user: it returns what the member itself would decide about a request (IMP-3). */

import { errorOf } from '@fleet/client/kube-client.ts';
import type { Headers, Upstream } from '@fleet/client/upstream.ts';
import type { ResourceRequest, Verb } from '@fleet/kube/request-info.ts';
import { StatusError } from '@fleet/kube/status.ts';

/** In bytes. The answer repeats the review, with a reason. */
const longestAnswer = 256 * 1024;

/** The `resourceAttributes` of a review. */
export interface ReviewedAttributes {
  verb: Verb;
  group: string;
  version: string;
  resource: string;
  subresource?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
  labelSelector?: { rawSelector: string } | undefined;
  fieldSelector?: { rawSelector: string } | undefined;
}

export interface AccessReview {
  allowed: boolean;
  /** The message of the authoriser that decided; empty if it has none. */
  reason: string;
}

/** Throws a StatusError if the member does not return a review: the user may not be allowed to send one, or the member may fail. */
export async function reviewAccess(
  upstream: Upstream,
  identity: Headers,
  resourceAttributes: ReviewedAttributes,
  signal: AbortSignal,
): Promise<AccessReview> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  };
  const body = Buffer.from(JSON.stringify(review));
  const reply = await upstream.call({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    headers: {
      ...identity,
      'content-type': 'application/json',
      'content-length': String(body.length),
      accept: 'application/json',
      'accept-encoding': 'identity',
    },
    body,
    signal,
  });
  const bytes = await reply.body.bytes(longestAnswer);
  if (reply.status !== 201 && reply.status !== 200) throw errorOf(reply.status, bytes);
  const { status } = JSON.parse(bytes.toString()) as { status?: { allowed?: unknown; reason?: unknown } | null };
  return {
    allowed: status?.allowed === true,
    reason: typeof status?.reason === 'string' ? status.reason : '',
  };
}

/** True only if the member definitely allows it. */
export async function memberAllows(
  upstream: Upstream,
  identity: Headers,
  verb: Verb,
  { group, version, resource, subresource, namespace, name }: ResourceRequest,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const attributes = { verb, group, version, resource, subresource, namespace, name };
    return (await reviewAccess(upstream, identity, attributes, signal)).allowed;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}
