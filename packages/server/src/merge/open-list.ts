/** Reads the members for a merged list: all of it at once, or its first page. */

import type { Form } from '@fleet/kube/negotiate.ts';
import type { Column } from '../present/table-columns.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { ListMetadata } from './list-body.ts';
import { type ListQuery, type MemberQuery, tooOld } from './list-query.ts';
import { ReadAhead } from './read-ahead.ts';
import { type Answered, type Missing, settle } from './settle.ts';
import type { ListAnswer, ListSource, SourceList } from './source.ts';

export interface OpenAsk {
  query: ListQuery;
  form: Form;
  partial: boolean;
  /** The budget for reading ahead, shared by all lists in flight. */
  budget: ByteBudget;
  signal: AbortSignal;
}

export interface OpenedList {
  /** In the order in which they are sent. */
  lists: Answered<SourceList>[];
  missing: Missing[];
  warnings: string[];
  /** Set if the metadata is known only after the items. `columns`: if the members have different columns. */
  metadata?: (columns?: readonly Column[]) => Promise<ListMetadata>;
  /** The layout of the pages before this one. */
  columns?: readonly Column[] | undefined;
}

export async function openWholeList(sources: readonly ListSource[], ask: OpenAsk): Promise<OpenedList> {
  const answers = await askAll(sources, ask, ({ cluster }) => ask.query.begin(cluster));
  const settled = settle(answers, ask.partial);
  return {
    ...settled,
    lists: settled.lists.map(({ cluster, answer }) => ({ cluster, answer: aheadOf(answer, ask) })),
  };
}

export const aheadOf = (list: SourceList, { budget, signal }: OpenAsk): SourceList => ({
  ...list,
  items: new ReadAhead(list.items, budget, signal),
});

/** Reads all members at once, each with the query that `queryFor` returns. */
export function askAll(
  sources: readonly ListSource[],
  { query, form, signal }: OpenAsk,
  queryFor: (source: ListSource, index: number) => MemberQuery,
): Promise<Answered<ListAnswer>[]> {
  return Promise.all(
    sources.map(async (source, index): Promise<Answered<ListAnswer>> => {
      const { cluster } = source;
      // The member may not serve the resource, or refuse it to this user: then its version is not needed.
      const lacking = query.lacks(cluster);
      const asked = lacking ? query.at('', 1) : queryFor(source, index);
      const answer = await source.list({ query: asked, form, signal });
      if (lacking && answer.is === 'list') return { cluster, answer: { is: 'expired', error: tooOld(cluster) } };
      return { cluster, answer };
    }),
  );
}
