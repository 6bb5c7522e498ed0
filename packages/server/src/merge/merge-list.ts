/** A list over many places: all are asked at once, then their items stream in cluster-name order (LIST-1). */

import type { Form } from '@fleet/kube/negotiate.ts';
import { warningHeader } from '@fleet/kube/warning.ts';
import type { PlainReply } from '../http/message.ts';
import type { ByteBudget } from './byte-budget.ts';
import { type ListShape, objectListBody, tableBody } from './list-body.ts';
import { readListQuery } from './list-query.ts';
import { ReadAhead } from './read-ahead.ts';
import { type Missing, settle } from './settle.ts';
import type { ListAnswer, Source } from './source.ts';

export interface MergeListAsk {
  query: string;
  form: Form;
  shape: ListShape;
  partial: boolean;
  /** What members may be read ahead by, shared by all lists under way. */
  budget: ByteBudget;
  signal: AbortSignal;
  onMissing: (missing: Missing) => void;
}

export async function mergeList(sources: readonly Source[], ask: MergeListAsk): Promise<PlainReply> {
  const query = readListQuery(ask.query);
  // Whatever ends the answer, well or not, ends every member's part of it.
  const over = new AbortController();
  const signal = AbortSignal.any([ask.signal, over.signal]);
  try {
    const answers = await Promise.all(
      sources.map(async (source) => ({
        cluster: source.cluster,
        answer: (await source.list({ query, form: ask.form, signal })) satisfies ListAnswer,
      })),
    );
    const { lists, missing, warnings } = settle(answers, ask.partial);
    for (const member of missing) ask.onMissing(member);
    const ordered = lists.map(({ cluster, answer }) => ({
      cluster,
      answer: { ...answer, items: new ReadAhead(answer.items, ask.budget, signal) },
    }));
    const body = ask.form === 'Table' ? tableBody(ordered, ask.shape) : objectListBody(ordered, ask.shape);
    return {
      is: 'plain',
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-cache, private',
        ...(warnings.length > 0 ? { warning: warnings.map(warningHeader) } : {}),
      },
      body: endingWith(body, () => over.abort(new Error('the merged answer is over'))),
    };
  } catch (error) {
    over.abort(error);
    throw error;
  }
}

async function* endingWith(body: AsyncGenerator<Buffer>, end: () => void): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* body;
  } finally {
    end();
  }
}
