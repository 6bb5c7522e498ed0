/** The errors that a client gets if a place did not answer (NAME-8). */

import { UnreachableError } from '@fleet/client/upstream.ts';
import { type StatusError, timedOut, unavailable } from '@fleet/kube/status.ts';
import { BusyError } from '../members/limited.ts';
import type { PlacelessTarget } from '../target/target.ts';

export interface Destination {
  cluster: string;
  /** Whether it still counts as ready: then an early retry makes sense. */
  ready: boolean;
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Clients must not repeat a write that may have been done: they get 504, which client-go does not retry. */
export function unanswered(
  { cluster, ready }: Destination,
  target: PlacelessTarget,
  cause: unknown,
  late: boolean,
): StatusError {
  if (cause instanceof BusyError) return cause;
  const read = reads.has(target.wire.method);
  if (late) return timedOut(`cluster "${cluster}" did not answer in time`, {}, { cause });
  if (!(cause instanceof UnreachableError)) throw cause;
  if (cause.sent && !read) {
    return timedOut(
      `the connection to cluster "${cluster}" broke; the request may have been carried out`,
      {},
      { cause },
    );
  }
  const why = isWithoutAgent(cause) ? ': no agent of it is connected' : '';
  return unavailable(`cluster "${cluster}" cannot be reached${why}`, ready ? { retryAfterSeconds: 1 } : {}, { cause });
}

const isWithoutAgent = ({ cause }: UnreachableError): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_NO_AGENT';

export const notReady = (cluster: string, reason: string): StatusError =>
  unavailable(`cluster "${cluster}" is not ready: it ${reason}`);

/** Without Retry-After, as an early retry does not help. */
export const credentialRefused = (cluster: string): StatusError =>
  unavailable(`cluster "${cluster}" does not accept the credential that this server has for it`);
