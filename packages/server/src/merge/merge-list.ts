/** Lists over many places: all are read at once, then their items are sent in the order of cluster names (LIST-1). */

import type { Form } from '@fleet/kube/negotiate.ts';
import { warningHeader } from '@fleet/kube/warning.ts';
import type { PlainReply } from '../http/message.ts';
import { begun } from './begun.ts';
import type { ByteBudget } from './byte-budget.ts';
import { type ListShape, objectListBody, tableBody } from './list-body.ts';
import { type ListQuery, readListQuery } from './list-query.ts';
import { type OpenedList, openWholeList } from './open-list.ts';
import { openFirstPage, openLaterPage } from './open-page.ts';
import type { PagePosition, PageTokens } from './page-token.ts';
import type { Missing } from './settle.ts';
import type { ListSource } from './source.ts';

export interface MergeListAsk {
  /** The path as the members know it. */
  path: string;
  query: string;
  form: Form;
  shape: ListShape;
  partial: boolean;
  /** The budget for reading ahead, shared by all lists in flight. */
  budget: ByteBudget;
  pageTokens: PageTokens;
  signal: AbortSignal;
  onMissing: (missing: Missing) => void;
}

export async function mergeList(sources: readonly ListSource[], ask: MergeListAsk): Promise<PlainReply> {
  const query = readListQuery(ask.query);
  // When the answer ends, successfully or not, every member's part of it is ended.
  const over = new AbortController();
  const signal = AbortSignal.any([ask.signal, over.signal]);
  try {
    const opened = await open(sources, query, { ...ask, signal });
    for (const member of opened.missing) ask.onMissing(member);
    const body = ask.form === 'Table' ? tableBody(opened, ask.shape) : objectListBody(opened, ask.shape);
    return {
      is: 'plain',
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-cache, private',
        ...(opened.warnings.length > 0 ? { warning: opened.warnings.map(warningHeader) } : {}),
      },
      mustMove: () => true,
      body: await begun(endingWith(body, () => over.abort(new Error('the merged answer is over')))),
    };
  } catch (error) {
    over.abort(error);
    throw error;
  }
}

function open(sources: readonly ListSource[], query: ListQuery, ask: MergeListAsk): Promise<OpenedList> {
  const { limit = Number.POSITIVE_INFINITY, continueToken, selection } = query;
  const { path, pageTokens, form, partial, budget, signal } = ask;
  const opening = { query, form, partial, budget, signal };
  if (query.limit === undefined && continueToken === undefined) return openWholeList(sources, opening);
  // A token is valid for the same list and selection. The form and the limit may change from page to page.
  const list = `${path}?${selection}`;
  const page = { ...opening, limit, tokenOf: (position: PagePosition) => pageTokens.write(position, list) };
  if (continueToken === undefined) return openFirstPage(sources, page);
  const position = pageTokens.read(continueToken, list);
  query.refuseVersionBesideToken();
  return openLaterPage(sources, page, position);
}

async function* endingWith(body: AsyncGenerator<Buffer>, end: () => void): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* body;
  } finally {
    end();
  }
}
