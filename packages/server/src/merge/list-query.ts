/** What a merged list asks of each member: the client's query, with the paging and versions that are between us and it. */

import { badRequest, expired, StatusError } from '@fleet/kube/status.ts';
import { keyOf } from '../target/query.ts';
import type { ClusterName } from '../target/target.ts';
import { type ReadVersion, readVersion } from './versions.ts';

/** Members are asked in pages, so that a slow client does not run into a member's request timeout (LIST-1). */
const pageSize = 500;

/** Between the client and us, or said anew to each member. */
const ours = new Set(['limit', 'continue', 'resourceVersion', 'resourceVersionMatch', 'pretty', 'watch', 'timeout']);

const withoutOurs = (query: string): string[] =>
  query.split('&').filter((pair) => pair !== '' && !ours.has(keyOf(pair)));

export interface ListQuery {
  /** The query for a member's first page, or for the page that a continue token names. */
  forMember(cluster: ClusterName, continueToken?: string): string;
  /** The client's own `timeout`, in milliseconds. */
  timeout: number | undefined;
}

const invalid = (field: string, message: string, reason = 'FieldValueForbidden'): StatusError =>
  new StatusError(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${field}: ${message}`, {
    group: 'meta.k8s.io',
    kind: 'ListOptions',
    causes: [{ reason, message, field }],
  });

export function readListQuery(query: string): ListQuery {
  const parameters = new URLSearchParams(query);
  const text = parameters.get('resourceVersion') ?? '';
  const match = parameters.get('resourceVersionMatch') ?? '';
  if (parameters.get('continue')) throw badRequest('continue key is not valid: no page of this list was given out');
  if (match && match !== 'Exact' && match !== 'NotOlderThan') {
    const supported = `Unsupported value: "${match}": supported values: "Exact", "NotOlderThan", ""`;
    throw invalid('resourceVersionMatch', supported, 'FieldValueNotSupported');
  }
  if (match && text === '') {
    throw invalid(
      'resourceVersionMatch',
      'Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    );
  }
  if (match === 'Exact' && text === '0') {
    throw invalid(
      'resourceVersionMatch',
      'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    );
  }
  const version = readVersion(text);
  const kept = withoutOurs(query);
  return {
    timeout: readTimeout(parameters.get('timeout')),
    forMember(cluster, continueToken) {
      const more = continueToken
        ? [`continue=${encodeURIComponent(continueToken)}`]
        : versionParameters(version, cluster, match === 'Exact');
      return [...kept, `limit=${pageSize}`, ...more].join('&');
    },
  };
}

/** A cluster without an entry is read as it is now; Exact cannot be answered for it (RV-6). */
function versionParameters(version: ReadVersion, cluster: ClusterName, exact: boolean): string[] {
  const entry = version.is === 'map' ? version.of.get(cluster) : undefined;
  if (entry !== undefined && entry !== '') {
    // `limit` with a version and no match would mean Exact.
    return [`resourceVersion=${encodeURIComponent(entry)}`, `resourceVersionMatch=${exact ? 'Exact' : 'NotOlderThan'}`];
  }
  if (exact)
    throw expired(`The resourceVersion for the provided list is too old: it does not name cluster "${cluster}"`);
  return [];
}

const unitsInMs: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1e3, m: 6e4, h: 3.6e6 };

/** A Go duration such as `32s` or `1m30s`; none, or 0, leaves the deadline to us. */
function readTimeout(text: string | null): number | undefined {
  if (!text || text === '0') return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.map(([part]) => part).join('') !== text) {
    throw badRequest(`timeout: "${text}" is not a duration such as 30s`);
  }
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * unitsInMs[unit!]!, 0) || undefined;
}
