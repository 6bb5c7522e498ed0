/** Parses PodLogOptions from a query, with kube-apiserver's validation. */

import { badRequest } from '@fleet/kube/status.ts';
import { type FieldError, forbiddenField, invalidValue } from '../errors/field-error.ts';
import { invalid } from '../errors/refusals.ts';
import { GoFault } from '../go-json/go-fault.ts';
import { goTime } from '../go-json/go-time.ts';
import { integer, isTrue } from '../http/read-options.ts';
import type { LogOptions } from './connector.ts';

/** The container is chosen later. */
export function readLogOptions(query: URLSearchParams, pod: string): LogOptions {
  const [sinceSeconds, tailLines, limitBytes] = (['sinceSeconds', 'tailLines', 'limitBytes'] as const).map((name) =>
    numberOf(query, name),
  );
  const sinceTime = timeOf(query.get('sinceTime'));
  const errors: FieldError[] = [
    ...(tailLines !== undefined && tailLines < 0
      ? [invalidValue('tailLines', tailLines, 'must be greater than or equal to 0')]
      : []),
    ...(limitBytes !== undefined && limitBytes < 1
      ? [invalidValue('limitBytes', limitBytes, 'must be greater than 0')]
      : []),
    ...sinceErrors(sinceSeconds, sinceTime),
    // Requires the feature gate PodLogsQuerySplitStreams, which is off by default.
    ...(query.has('stream') ? [forbiddenField('stream', 'may not be specified')] : []),
  ];
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, pod, errors);
  return {
    container: query.get('container') ?? '',
    follow: isTrue(query.get('follow')),
    previous: isTrue(query.get('previous')),
    timestamps: isTrue(query.get('timestamps')),
    sinceSeconds,
    sinceTime,
    tailLines,
    limitBytes,
    stream: 'All',
  };
}

function sinceErrors(seconds: number | undefined, time: string | undefined): FieldError[] {
  if (seconds === undefined) return [];
  if (time !== undefined) {
    // Go prints this for a path without a name.
    return [forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified')];
  }
  return seconds < 1 ? [invalidValue('sinceSeconds', seconds, 'must be greater than 0')] : [];
}

/** Larger numbers lose precision, which does not matter for a log. */
function numberOf(query: URLSearchParams, name: string): number | undefined {
  const value = integer(query, name);
  return value === undefined ? undefined : Number(value);
}

function timeOf(text: string | null): string | undefined {
  if (text === null) return undefined;
  if (text === '' || text === 'null') return '0001-01-01T00:00:00Z';
  try {
    return goTime(text, 'time');
  } catch (fault) {
    if (!(fault instanceof GoFault)) throw fault;
    throw badRequest(fault.message, { cause: fault });
  }
}
