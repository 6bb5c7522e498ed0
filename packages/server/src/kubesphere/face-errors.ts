/** Translates the control plane's errors about a Cluster into errors about KubeSphere's Cluster. */

import { UnreachableError } from '@fleet/client/upstream.ts';
import { StatusError, unavailable } from '@fleet/kube/status.ts';

const renamed = (text: string): string => text.replaceAll('cluster.karmada.io', 'cluster.kubesphere.io');

export function faceError(error: unknown): unknown {
  if (error instanceof UnreachableError)
    return unavailable('the control plane cannot be reached', undefined, { cause: error });
  if (!(error instanceof StatusError)) return error;
  const { code, reason, message, details, continueToken } = error;
  const shown = details && { ...details, ...(details.group ? { group: renamed(details.group) } : {}) };
  return new StatusError(code, reason, renamed(message), shown, { cause: error, continueToken });
}

export async function asFace<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw faceError(error);
  }
}
