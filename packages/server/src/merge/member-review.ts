/** Asks a member what a user may do there, as that user: what the member itself would decide about a request (IMP-3). */

import type { Headers, Upstream } from '@fleet/client/upstream.ts';
import type { ResourceRequest, Verb } from '@fleet/kube/request-info.ts';

/** In bytes. An answer repeats the question, with a reason. */
const longestAnswer = 256 * 1024;

/** Only a definite yes is true: a user may lack the permission to ask, and a member may fail. */
export async function memberAllows(
  upstream: Upstream,
  identity: Headers,
  verb: Verb,
  { group, version, resource, subresource, namespace, name }: ResourceRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const resourceAttributes = { verb, group, version, resource, subresource, namespace, name };
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
  if (reply.status !== 201 && reply.status !== 200) return false;
  const { status } = JSON.parse(bytes.toString()) as { status?: { allowed?: unknown } | null };
  return status?.allowed === true;
}
