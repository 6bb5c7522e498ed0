/** Parses the parameters that every list has, with kube-apiserver's checks and error messages (RV-6). */

import { parseGoDuration } from '@fleet/kube/go-duration.ts';
import { badRequest, type StatusCause, StatusError } from '@fleet/kube/status.ts';

export interface ListOptions {
  /** Undefined: no limit. */
  limit: number | undefined;
  continueToken: string;
  resourceVersion: string;
  match: '' | 'Exact' | 'NotOlderThan';
  /** In milliseconds. */
  timeout: number | undefined;
}

export function readListOptions(parameters: URLSearchParams): ListOptions {
  const options = {
    limit: readLimit(parameters.get('limit')),
    continueToken: parameters.get('continue') ?? '',
    resourceVersion: parameters.get('resourceVersion') ?? '',
    match: (parameters.get('resourceVersionMatch') ?? '') as ListOptions['match'],
    timeout: readTimeout(parameters.get('timeout')),
  };
  const faults = [...faultsOfMatch(options)];
  if (parameters.has('sendInitialEvents')) {
    faults.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  if (faults.length > 0) throw invalid(faults);
  return options;
}

export const forbidden = (field: string, why: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${why}`,
  field,
});

function* faultsOfMatch({ match, resourceVersion, continueToken }: ListOptions): Generator<StatusCause> {
  if (match === '') return;
  const field = 'resourceVersionMatch';
  if (resourceVersion === '') {
    yield forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
  }
  if (continueToken !== '') yield forbidden(field, 'resourceVersionMatch is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    const message = `Unsupported value: "${match}": supported values: "Exact", "NotOlderThan", ""`;
    yield { reason: 'FieldValueNotSupported', message, field };
  }
  if (match === 'Exact' && resourceVersion === '0') {
    yield forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
}

export function invalid(causes: StatusCause[]): StatusError {
  const messages = causes.map(({ field, message }) => `${field}: ${message}`);
  const all = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  const details = { group: 'meta.k8s.io', kind: 'ListOptions', causes };
  return new StatusError(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${all}`, details);
}

const int64 = 2n ** 63n;

/** No text, 0 and negative numbers mean no limit. */
function readLimit(text: string | null): number | undefined {
  if (text === null) return undefined;
  const refuse = (why: string) => badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
  if (!/^[+-]?\d+$/.test(text)) throw refuse('invalid syntax');
  const limit = BigInt(text.replace(/^\+/, ''));
  if (limit >= int64 || limit < -int64) throw refuse('value out of range');
  return limit > 0n ? Number(limit) : undefined;
}

/** A Go duration such as `32s` or `1m30s`. None, or 0, means the server's own deadline. */
function readTimeout(text: string | null): number | undefined {
  if (!text || text === '0') return undefined;
  const nanos = parseGoDuration(text);
  if (nanos === undefined) throw badRequest(`timeout: "${text}" is not a duration such as 30s`);
  return nanos > 0n ? Number(nanos) / 1e6 : undefined;
}
