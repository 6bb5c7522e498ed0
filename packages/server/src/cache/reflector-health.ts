/** Interprets a reflector's state, for answers and for the shard. */

import type { Health } from '@fleet/cache/messages.ts';
import type { ReflectorState } from '@fleet/cache/reflector/reflector-state.ts';

/** The product is not allowed to read it, or the member does not serve it. */
export const isUnserved = ({ is }: ReflectorState): boolean => is === 'refused' || is === 'absent';

export const isBroken = ({ is }: ReflectorState): boolean => is === 'unreachable' || is === 'failing';

export const lastHeard = ({ lastEvent, since }: ReflectorState): string => new Date(lastEvent ?? since).toISOString();

export function healthOf({ is, since, lastError = '' }: ReflectorState): Health {
  switch (is) {
    case 'synced':
      return { is: 'healthy' };
    case 'filling':
      return { is: 'filling' };
    case 'unreachable':
      return { is: 'unreachable', since, error: lastError };
    case 'failing':
    case 'full':
    case 'absent':
    case 'refused':
      return { is: 'failing', since, error: lastError };
    default:
      return is satisfies never;
  }
}
