/** Lists objects: the latest or at a version, whole or in pages, with selectors. Objects stay bytes unless a selector needs fields. */

import { Pace } from '@fleet/client/pace.ts';
import { type FieldTerm, matchesFields, selectedName } from '@fleet/kube/selectors/field-selector.ts';
import type { LabelSelector } from '@fleet/kube/selectors/label-selector.ts';
import { badRequest, expired, StatusError } from '@fleet/kube/status.ts';
import type { Entry, Range } from '../store/object-store.ts';
import { StoreError } from '../store/store-error.ts';
import type { Selectable, Selects } from '../watch-cache/shared-event.ts';
import { small } from './large-text.ts';
import { type Continuation, continueToken, pageExpired, readContinueToken } from './list-token.ts';
import { asStatusErrors, type ResourceContext, type Where } from './resource-context.ts';
import { keyPrefix, type ResourceKind } from './resource-kind.ts';
import { ShownObject } from './stored-object.ts';

export interface Selection {
  labels?: LabelSelector | undefined;
  fields?: readonly FieldTerm[] | undefined;
}

export interface ListOptions extends Where, Selection {
  limit?: number | undefined;
  continue?: string | undefined;
  resourceVersion?: string | undefined;
  resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

export interface List {
  revision: number;
  entries: Entry[];
  continue?: string;
  /** Absent with selectors, as the objects after the page have not been checked. */
  remaining?: number;
}

export type Listed = List['entries'][number];

/** How many objects are read when a selector has left too few for a page. */
const longestRead = 10_000;

export const selects = ({ labels, fields = [] }: Selection): Selects => {
  if (!labels && fields.length === 0) return () => true;
  const fieldsOf = looksFurther(fields) ? ({ fields }: Selectable) => fields : ({ names }: Selectable) => names;
  return (object) =>
    (!labels || labels(object.labels)) && (fields.length === 0 || matchesFields(fields, fieldsOf(object)));
};

/** Names are in the outline of every object. */
export const looksFurther = (fields: readonly FieldTerm[] = []): boolean =>
  fields.some(({ field }) => !['metadata.name', 'metadata.namespace'].includes(field));

export async function listObjects(context: ResourceContext, options: ListOptions): Promise<List> {
  const { kind, store } = context;
  const prefix = keyPrefix(kind, kind.namespaced ? options.namespace : undefined);
  const name = selectedName(options.fields ?? []);
  const only = name !== undefined && (!kind.namespaced || options.namespace) ? `${prefix}${name}` : undefined;
  const from = options.continue ? readContinueToken(options.continue, prefix) : undefined;
  const revision = requestedRevision(options, from);
  const hasSelector = Boolean(options.labels) || (options.fields ?? []).length > 0;
  const read = async (after: string | undefined, at: number | undefined, limit: number | undefined): Promise<Range> => {
    if (only === undefined) {
      return store.range({ prefix, after, revision: at, limit, count: limit !== undefined && !hasSelector });
    }
    // A list of one name reads one object and has no second page. It is the first key with this prefix.
    const range = await store.range({ prefix: only, after, revision: at, limit: 1, count: false });
    return { ...range, entries: range.entries.filter(({ key }) => key === only), more: false };
  };

  try {
    const first = await read(from?.after, revision, options.limit);
    if (!from) refuseOlder(kind, parseVersion(options.resourceVersion ?? ''), first.revision);
    if (!hasSelector) return page(first, first.entries, prefix);
    return await filter(context, options, first, prefix, read);
  } catch (thrown) {
    return asStatusErrors(Promise.reject(listErrorOf(kind, thrown, revision, from, prefix)));
  }
}

async function filter(
  { kind }: ResourceContext,
  options: ListOptions,
  first: Range,
  prefix: string,
  read: (after: string | undefined, at: number | undefined, limit: number | undefined) => Promise<Range>,
): Promise<List> {
  const isSelected = selects(options);
  const hasFields = looksFurther(options.fields);
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const entries: Entry[] = [];
  let range = first;
  let size = options.limit;
  const pace = new Pace();
  for (;;) {
    for (const [index, entry] of range.entries.entries()) {
      if (entries.length === limit) {
        return {
          revision: range.revision,
          entries,
          continue: continueToken(range.entries[index - 1]!.key, prefix, range.revision),
        };
      }
      if (pace.isDue) await pace.rest();
      const shown = new ShownObject(kind, entry.key, entry.value, entry.revision);
      if (entry.value.length > small) await shown.look(hasFields);
      if (isSelected(shown)) entries.push(entry);
    }
    const last = range.entries.at(-1)?.key;
    if (!range.more || last === undefined) return { revision: range.revision, entries };
    if (entries.length === limit) {
      return { revision: range.revision, entries, continue: continueToken(last, prefix, range.revision) };
    }
    size = Math.min((size ?? longestRead) * 2, longestRead);
    range = await read(last, range.revision, size);
  }
}

const page = ({ revision, more, remaining }: Range, entries: Entry[], prefix: string): List => ({
  revision,
  entries,
  ...(more ? { continue: continueToken(entries.at(-1)!.key, prefix, revision) } : {}),
  ...(more && remaining !== undefined ? { remaining } : {}),
});

/** The revision to read at; undefined for the latest. */
function requestedRevision(options: ListOptions, from: Continuation | undefined): number | undefined {
  const { resourceVersion = '', resourceVersionMatch, limit } = options;
  if (from) {
    if (resourceVersion !== '' && resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    return from.revision;
  }
  const version = parseVersion(resourceVersion);
  const isExact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === undefined && limit !== undefined);
  return isExact && version > 0 ? version : undefined;
}

/** `refuse` creates the error, as lists and watches have different texts. */
export function parseVersion(
  text: string,
  refuse = (why: string): StatusError => badRequest(`invalid resource version: ${why}`),
): number {
  if (text === '') return 0;
  const version = /^\d{1,20}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(version)) return version;
  const fault = /^\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  const why = `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${fault}`;
  throw refuse(`resourceVersion: Invalid value: ${JSON.stringify(text)}: ${why}`);
}

/** A future version is not waited for. */
export function refuseOlder(kind: ResourceKind, requested: number, revision: number): void {
  if (requested > revision) throw tooLarge(kind, requested, revision);
}

/** Only caches send a retry hint. */
const tooLarge = ({ isUncached }: ResourceKind, requested: number, revision: number): StatusError =>
  new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${revision}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    ...(isUncached ? {} : { retryAfterSeconds: 1 }),
  });

function listErrorOf(
  kind: ResourceKind,
  thrown: unknown,
  revision: number | undefined,
  from: Continuation | undefined,
  prefix: string,
): unknown {
  if (!(thrown instanceof StoreError)) return thrown;
  if (thrown.fault === 'future') return tooLarge(kind, revision ?? 0, thrown.limit ?? 0);
  if (thrown.fault !== 'compacted') return thrown;
  return from ? pageExpired(from, prefix) : expired('The resourceVersion for the provided list is too old.');
}
