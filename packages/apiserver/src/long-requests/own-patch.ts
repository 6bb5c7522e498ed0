/** A change by the server to one of its own objects, handled like a client's request: large ones on a worker thread. */

import { type Status, StatusError } from '@fleet/kube/status.ts';
import { privileged } from '../authn/user.ts';
import type { Operation } from '../crds/definitions.ts';
import type { Resource } from '../http/verb.ts';
import type { LongRequests } from './long-requests.ts';

/** For an object without a namespace. Throws the error that a client would get. */
type OwnPatch = (name: string, subresource: 'status' | undefined, operations: Operation[]) => Promise<void>;

const manager = 'kube-apiserver';

export const ownPatch =
  (long: LongRequests, resource: Resource): OwnPatch =>
  async (name, subresource, operations) => {
    const { group, version, resource: plural } = resource.printed;
    const query = new URLSearchParams({ fieldManager: manager });
    const path = ['', 'apis', group, version, plural, name, ...(subresource ? [subresource] : [])].join('/');
    const { status, body } = await long.serve(resource, {
      request: {
        method: 'PATCH',
        url: `${path}?${query}`,
        headers: { 'content-type': 'application/json-patch+json' },
        body: Buffer.from(JSON.stringify(operations)),
        signal: new AbortController().signal,
      },
      ask: { verb: 'patch', group, version, resource: plural, namespace: undefined, name, subresource, rest: [] },
      query,
      user: privileged(manager),
      warn: () => undefined,
    });
    if (status < 400) return;
    const { code, reason = '', message, details } = JSON.parse(String(body)) as Status;
    throw new StatusError(code, reason, message, details);
  };
