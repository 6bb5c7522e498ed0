/** Checks that a source's lists have the requested kind: a member that returns another counts as unreadable (SEC-1). */

import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import type { Items } from '@fleet/kube/list-splitter.ts';
import { type AskedObjects, refuseUnaskedList } from '../present/asked-objects.ts';
import type { ListAnswer, Source, SourceList } from './source.ts';

export function askedSource(source: Source, asked: AskedObjects | undefined): Source {
  return {
    cluster: source.cluster,
    isCached: source.isCached ?? false,
    list: async (ask) => checked(await source.list(ask), asked),
    watch: (ask) => source.watch(ask),
    canWatch: (ask) => source.canWatch(ask),
    hasLost: (version, signal) => source.hasLost(version, signal),
  };
}

async function checked(answer: ListAnswer, asked: AskedObjects | undefined): Promise<ListAnswer> {
  if (answer.is !== 'list') return answer;
  try {
    refuseUnaskedList(answer.head, asked);
  } catch (error) {
    if (!(error instanceof JsonBytesError)) throw error;
    await answer.items[Symbol.asyncIterator]().return?.();
    return { is: 'missing', reason: 'gave an answer that cannot be read' };
  }
  return { ...answer, items: throughEnd(answer, asked) };
}

/** Lists of custom resources have their kind at the end. */
async function* throughEnd({ items, end }: SourceList, asked: AskedObjects | undefined): AsyncGenerator<Items> {
  yield* items;
  refuseUnaskedList(end(), asked);
}
