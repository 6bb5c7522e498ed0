/** Parses options from the query of a request, with kube-apiserver's validation. */

import type { JsonObject } from '@fleet/kube/json-value.ts';
import { kindType } from '@fleet/kube/protobuf/schema.ts';
import { parseFieldSelector, unsupportedField } from '@fleet/kube/selectors/field-selector.ts';
import { badRequest } from '@fleet/kube/status.ts';
import { type FieldError, forbiddenField, invalidValue, notSupported } from '../errors/field-error.ts';
import { quoted } from '../errors/quoted.ts';
import { invalid } from '../errors/refusals.ts';
import { decodeAsGo } from '../go-json/decode.ts';
import { GoFault } from '../go-json/go-fault.ts';
import type { ListOptions } from '../registry/list.ts';
import { isCustom, type PrintedKind } from '../registry/printed-kind.ts';
import { selectableFields } from '../registry/resource-kind.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { dryRunErrors } from './write-options.ts';

const refuse = (kind: string, errors: readonly FieldError[]): void => {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
};

export const isTrue = (value: string | null): boolean =>
  value !== null && value.toLowerCase() !== 'false' && value !== '0';

const int64 = 2n ** 63n;
const mostDigits = 19;

/** Parsed like Go's int64; undefined for an empty text. */
export function integer(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const refuse = (why: string) => badRequest(`strconv.ParseInt: parsing ${quoted(text)}: ${why}`);
  if (!/^[+-]?\d+$/.test(text)) throw refuse('invalid syntax');
  const digits = text.replace(/^[+-]/, '').replace(/^0+/, '');
  const size = digits.length > mostDigits ? int64 + 1n : BigInt(digits);
  const value = text.startsWith('-') ? -size : size;
  if (value >= int64 || value < -int64) throw refuse('value out of range');
  return value;
}

/** A Go duration is nanoseconds in 64 bits: beyond 292 years it overflows, to the past or to any time. */
const millisOf = (seconds: bigint): number => Number(BigInt.asIntN(64, seconds * 1_000_000_000n)) / 1e6;

export interface ListQuery extends ListOptions {
  sendInitialEvents: boolean | undefined;
  allowWatchBookmarks: boolean;
  /** In milliseconds, as in kube-apiserver: with 0 the server decides, a negative one ends immediately. */
  timeout: number | undefined;
}

export function readListQuery(query: URLSearchParams, kind: PrintedKind, isWatch: boolean): ListQuery {
  const match = query.get('resourceVersionMatch') ?? '';
  const initial = query.get('sendInitialEvents');
  const limit = integer(query, 'limit');
  const timeoutSeconds = integer(query, 'timeoutSeconds');
  refuse('ListOptions', isWatch ? watchErrors(query, match, initial) : listErrors(query, match, initial));
  return {
    labels: parseLabelSelector(query.get('labelSelector') ?? ''),
    fields: parseFieldSelector(
      query.get('fieldSelector') ?? '',
      selectableFields(kind),
      isCustom(kind) ? unsupportedField : kind.strategy.unknownField,
    ),
    limit: limit && limit > 0n ? Number(limit) : undefined,
    continue: query.get('continue') || undefined,
    resourceVersion: query.get('resourceVersion') ?? undefined,
    resourceVersionMatch: (match || undefined) as ListOptions['resourceVersionMatch'],
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeout: timeoutSeconds === undefined ? undefined : millisOf(timeoutSeconds),
  };
}

function listErrors(query: URLSearchParams, match: string, initial: string | null): FieldError[] {
  const field = 'resourceVersionMatch';
  return [
    ...(match && !query.get('resourceVersion')
      ? [forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided')]
      : []),
    ...(match && query.get('continue')
      ? [forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided')]
      : []),
    ...(match && !['Exact', 'NotOlderThan'].includes(match)
      ? [notSupported(field, match, ['Exact', 'NotOlderThan', ''])]
      : []),
    ...(match === 'Exact' && query.get('resourceVersion') === '0'
      ? [forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')]
      : []),
    ...(initial === null ? [] : [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')]),
  ];
}

function watchErrors(query: URLSearchParams, match: string, initial: string | null): FieldError[] {
  const field = 'resourceVersionMatch';
  return [
    ...(initial !== null && match !== 'NotOlderThan'
      ? [forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')]
      : []),
    ...(match && initial === null
      ? [forbiddenField(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')]
      : []),
    ...(match && match !== 'NotOlderThan' ? [notSupported(field, match, ['NotOlderThan'])] : []),
    ...(match && query.get('continue')
      ? [forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided')]
      : []),
  ];
}

/** The options of a DELETE, from its body or its query. */
export interface DeleteRequest {
  dryRun: boolean;
  preconditions?: { uid?: string; resourceVersion?: string };
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  orphanDependents?: boolean;
  gracePeriodSeconds?: number;
}

export interface DeleteBody {
  gracePeriodSeconds?: number;
  dryRun?: string[];
  preconditions?: DeleteRequest['preconditions'];
  propagationPolicy?: string;
  orphanDependents?: boolean;
}

/** Decoded as in Go. */
export function readDeleteBody(json: JsonObject): DeleteBody {
  const { apiVersion = 'v1', kind = 'DeleteOptions' } = json;
  if (kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind ${quoted(String(kind))} is registered for version ${quoted(String(apiVersion))} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  try {
    return decodeAsGo(kindType('v1', 'DeleteOptions')!, json, ['apiVersion', 'kind']).object as unknown as DeleteBody;
  } catch (fault) {
    if (!(fault instanceof GoFault)) throw fault;
    throw badRequest(fault.message, { cause: fault });
  }
}

export function readDeleteOptions(body: DeleteBody | undefined, query: URLSearchParams): DeleteRequest {
  const orphan = query.get('orphanDependents');
  const grace = body ? undefined : integer(query, 'gracePeriodSeconds');
  const { dryRun, preconditions, propagationPolicy, orphanDependents, gracePeriodSeconds } =
    body ??
    ({
      gracePeriodSeconds: grace === undefined ? undefined : Number(grace),
      dryRun: query.getAll('dryRun'),
      propagationPolicy: query.get('propagationPolicy') ?? undefined,
      orphanDependents: orphan === null ? undefined : isTrue(orphan),
    } as DeleteBody);
  const dry = (dryRun ?? []).filter((value) => value !== '');
  const policies = ['Foreground', 'Background', 'Orphan'];
  refuse('DeleteOptions', [
    ...(orphanDependents !== undefined && propagationPolicy
      ? [
          invalidValue(
            'propagationPolicy',
            propagationPolicy,
            'orphanDependents and deletionPropagation cannot be both set',
          ),
        ]
      : []),
    ...(propagationPolicy && !policies.includes(propagationPolicy)
      ? [notSupported('propagationPolicy', propagationPolicy, [...policies, 'nil'])]
      : []),
    ...dryRunErrors(dry),
  ]);
  return {
    dryRun: dry.length > 0,
    ...(preconditions ? { preconditions } : {}),
    ...(propagationPolicy ? { propagationPolicy: propagationPolicy as 'Foreground' | 'Background' | 'Orphan' } : {}),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(gracePeriodSeconds === undefined || gracePeriodSeconds === null ? {} : { gracePeriodSeconds }),
  };
}
