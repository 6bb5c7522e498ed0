/** The product's own query parameters, taken out of a query whose other bytes stay as they are (URL-9). */

import { badRequest } from '@fleet/kube/status.ts';
import type { Wishes } from './target.ts';

export interface ReadQuery {
  clusterspace: string | undefined;
  wishes: Wishes;
  /** What goes on to a member. */
  rest: string;
}

const keyOf = (pair: string): string => {
  const key = pair.split('=', 1)[0] ?? '';
  // A key that cannot be decoded is not one of ours.
  return /^[\w%]+$/.test(key) && !/%(?![0-9a-f]{2})/i.test(key) ? decodeURIComponent(key) : key;
};

const readBoolean = (key: string, value: string | null): boolean | undefined => {
  if (value === null) return undefined;
  if (value !== 'true' && value !== 'false') throw badRequest(`${key} must be true or false, not "${value}"`);
  return value === 'true';
};

const own = new Set(['clusterspace', 'partial']);

export function readQuery(query: string): ReadQuery {
  const pairs = query.split('&');
  if (!pairs.some((pair) => own.has(keyOf(pair)))) {
    return { clusterspace: undefined, wishes: { partial: undefined }, rest: query };
  }
  const parameters = new URLSearchParams(query);
  return {
    clusterspace: parameters.get('clusterspace') ?? undefined,
    wishes: { partial: readBoolean('partial', parameters.get('partial')) },
    rest: pairs.filter((pair) => !own.has(keyOf(pair))).join('&'),
  };
}
