/** Prepares a request for a place: its identity headers, and its body as the place is to get it. */

import type { Headers, UpstreamCall } from '@fleet/client/upstream.ts';
import { qualified, StatusError } from '@fleet/kube/status.ts';
import { forwardable, forwardedFor } from '../http/hop-by-hop.ts';
import type { Incoming } from '../http/message.ts';
import type { ClusterName, PlacelessTarget } from '../target/target.ts';
import { isProxied } from './long-running.ts';
import type { Route } from './pass.ts';

export type Outgoing = Pick<UpstreamCall, 'headers' | 'body'>;

export async function outgoing(
  { identity, cluster, strip }: Pick<Route, 'identity' | 'cluster' | 'strip'>,
  target: PlacelessTarget,
  incoming: Incoming,
): Promise<Outgoing> {
  const headers = { ...forwardable(incoming.headers), ...forwardedFor(incoming.remoteAddress), ...identity };
  if (!target.body) {
    const unread = incoming.body && !isReadByMember(target);
    return unread ? { headers: withoutLength(headers) } : { headers, body: incoming.body };
  }
  const stripped = await strip(target.body, incoming.signal);
  if (stripped === 'unknown-version') throw unknownVersion(target, cluster);
  const { bytes, contentType } = stripped;
  return {
    headers: {
      ...headers,
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      'content-length': String(bytes.length),
    },
    body: bytes,
  };
}

/** A merged version without an entry for this cluster: the client has not seen the object that it would overwrite (RV-5). */
function unknownVersion({ ask }: PlacelessTarget, cluster: ClusterName): StatusError {
  const { group, resource, name = '' } = ask.is === 'resource' ? ask : { group: '', resource: '' };
  return new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified({ group, resource })} "${name}": its resourceVersion is of a list without cluster "${cluster}"; read the object again`,
    { name, ...(group ? { group } : {}), kind: resource },
  );
}

/** No API server uses the body of a GET, but it waits for one that is announced. Only a proxied program may use it. */
const isReadByMember = (target: PlacelessTarget): boolean =>
  isProxied(target) || !['GET', 'HEAD'].includes(target.wire.method);

const withoutLength = ({ 'content-length': _, ...others }: Headers): Headers => others;
