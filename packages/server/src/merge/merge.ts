/** Many places: what a request asks of all of them, and in which form. */

import { jsonForm } from '@fleet/kube/negotiate.ts';
import { methodNotAllowed, noSuchResource, notAcceptable, notOneObject, StatusError } from '@fleet/kube/status.ts';
import { compressed } from '../http/gzip.ts';
import type { Incoming, Reply } from '../http/message.ts';
import type { ClusterName, Target } from '../target/target.ts';
import type { ByteBudget } from './byte-budget.ts';
import { mergeList } from './merge-list.ts';
import type { PageTokens } from './page-token.ts';
import type { Missing } from './settle.ts';
import type { Source } from './source.ts';

export interface MergeParts {
  partialLists: 'tables' | 'always' | 'never';
  listBudget: ByteBudget;
  pageTokens: PageTokens;
  onMissing(missing: Missing): void;
}

export interface MergeAsk {
  target: Target;
  clusters: readonly ClusterName[];
  sourceOf: (cluster: ClusterName) => Source;
  incoming: Incoming;
}

export async function merge(parts: MergeParts, { target, clusters, sourceOf, incoming }: MergeAsk): Promise<Reply> {
  const { ask, wire, view, wishes } = target;
  if (ask.is !== 'resource' || ask.verb !== 'list') {
    const verb = ask.is === 'resource' ? ask.verb : wire.method;
    throw methodNotAllowed(`${verb} is not supported over many clusters: use /clusterspaces/{cluster} for one of them`);
  }
  const { accept } = incoming.headers;
  const form = jsonForm(accept === undefined ? undefined : [accept].flat().join(','));
  if (form === undefined) throw notAcceptable(['application/json']);
  if (form === 'PartialObjectMetadata') throw notOneObject();
  const byDefault = parts.partialLists === 'always' || (parts.partialLists === 'tables' && form === 'Table');
  const list = mergeList(clusters.map(sourceOf), {
    path: wire.path,
    query: wire.query,
    form,
    shape: { view, isEvent: ask.resource === 'events' },
    partial: wishes.partial ?? byDefault,
    budget: parts.listBudget,
    pageTokens: parts.pageTokens,
    signal: incoming.signal,
    onMissing: parts.onMissing,
  });
  const reply = await (view.hidesRefusals ? list.catch(hideRefusal) : list);
  return compressed(reply, incoming.headers);
}

function hideRefusal(error: unknown): never {
  throw error instanceof StatusError && error.code === 403 ? noSuchResource() : error;
}
