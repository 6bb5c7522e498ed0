/** Removes the product's own parameters from a query. Its other bytes do not change (URL-9). */

import { badRequest } from '@fleet/kube/status.ts';
import type { RequestOptions } from './target.ts';

export interface ReadQuery {
  clusterspace: string | undefined;
  requestOptions: RequestOptions;
  /** The query for the member. */
  rest: string;
}

/** The key of one `key=value`, parsed like `URLSearchParams`, so that every encoding of a key is both read and removed. */
export function keyOf(pair: string): string {
  const mark = pair.indexOf('=');
  const key = mark < 0 ? pair : pair.slice(0, mark);
  // Nearly all keys are not encoded, and a URL has tens of thousands of them at most.
  return /[%+?]/.test(key) ? (new URLSearchParams(key).keys().next().value ?? '') : key;
}

/** NAME-7 within the query. */
function oneClusterspace(values: readonly string[]): string | undefined {
  const [first, ...others] = values;
  const other = others.find((value) => value !== first);
  if (other === undefined) return first;
  throw badRequest(`two different clusters are named in the query: "${first}" and "${other}"`);
}

const readBoolean = (key: string, value: string | null): boolean | undefined => {
  if (value === null) return undefined;
  if (value !== 'true' && value !== 'false') throw badRequest(`${key} must be true or false, not "${value}"`);
  return value === 'true';
};

const own = new Set(['clusterspace', 'partial', 'fresh', 'consistent']);

export function readQuery(query: string): ReadQuery {
  const pairs = query.split('&');
  if (!pairs.some((pair) => own.has(keyOf(pair)))) {
    return { clusterspace: undefined, requestOptions: {}, rest: query };
  }
  const parameters = new URLSearchParams(query);
  return {
    clusterspace: oneClusterspace(parameters.getAll('clusterspace')),
    requestOptions: {
      partial: readBoolean('partial', parameters.get('partial')),
      fresh: readBoolean('fresh', parameters.get('fresh')),
      consistent: readBoolean('consistent', parameters.get('consistent')),
    },
    rest: pairs.filter((pair) => !own.has(keyOf(pair))).join('&'),
  };
}
