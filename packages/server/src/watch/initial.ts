/** The initial list of a member: sent as ADDED events, all objects of one version, before any other event. */

import { Backoff } from '@fleet/client/backoff.ts';
import { giveBack } from '@fleet/client/chunk-memory.ts';
import type { Form } from '@fleet/kube/negotiate.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import type { ListQuery } from '../merge/list-query.ts';
import type { ListAnswer, NoList, Source, SourceList } from '../merge/source.ts';
import type { ClusterName } from '../target/target.ts';
import type { EventEncoder, WatchShape } from './encode.ts';
import type { EventBatch } from './event.ts';
import { brokenOff } from './lost.ts';

interface InitialAsk {
  cluster: ClusterName;
  /** Asked each time anew. */
  source: () => Source;
  query: ListQuery;
  form: WatchShape['form'];
  encoder: EventEncoder;
  /** An answer that is already here. */
  opened?: SourceList | undefined;
  /** Where events go on, as soon as it is known. */
  onVersion(version: string): void;
  /** Resolves when there is room for more. */
  send(batch: EventBatch): Promise<void>;
  signal: AbortSignal;
}

/** What a watcher asks for; the shared watch adds the rest. */
export type InitialWish = Pick<InitialAsk, 'cluster' | 'opened' | 'query' | 'signal' | 'source'>;

export type Initial =
  | { is: 'sent'; version: string }
  /** The member does not serve the resource. */
  | { is: 'absent' }
  /** The user may not list it there, or not in this way. */
  | { is: 'refused' }
  /** What was sent cannot be completed. */
  | { is: 'lost'; error: StatusError };

export const listForm = (form: WatchShape['form']): Form =>
  form === 'PartialObjectMetadata' ? 'PartialObjectMetadataList' : form;

/** An unreachable member is asked again until it answers; one that breaks off resumes at the same version (WATCH-3). */
export async function sendInitial(ask: InitialAsk): Promise<Initial> {
  const progress: Progress = { sent: 0, version: undefined };
  let opened = ask.opened;
  const backoff = new Backoff();
  for (;;) {
    const answer = opened ?? (await answerOf(ask, progress));
    opened = undefined;
    const outcome = answer.is === 'list' ? await sendList(ask, answer, progress) : outcomeOf(ask, answer, progress);
    if (outcome) return outcome;
    await backoff.wait(ask.signal);
  }
}

interface Progress {
  sent: number;
  version: string | undefined;
}

async function answerOf(
  { cluster, source, query, form, signal }: InitialAsk,
  { version }: Progress,
): Promise<ListAnswer> {
  const asked = version === undefined ? query.begin(cluster) : query.at(version);
  try {
    return await source().list({ query: asked, form: listForm(form), signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return { is: 'missing', reason: 'cannot be reached' };
  }
}

/** Undefined: ask again. */
function outcomeOf({ cluster }: InitialAsk, answer: NoList, { sent }: Progress): Initial | undefined {
  switch (answer.is) {
    case 'missing':
    case 'too-new':
      return undefined;
    case 'expired':
      return { is: 'lost', error: answer.error };
    case 'absent':
      return sent === 0 ? { is: 'absent' } : { is: 'lost', error: brokenOff(cluster) };
    case 'refused':
    case 'invalid':
      return sent === 0 ? { is: 'refused' } : { is: 'lost', error: brokenOff(cluster) };
    default:
      return answer satisfies never;
  }
}

async function sendList(ask: InitialAsk, list: SourceList, progress: Progress): Promise<Initial | undefined> {
  const { cluster, encoder, signal } = ask;
  const learn = (version: string | undefined) => {
    if (version === undefined || progress.version !== undefined) return;
    progress.version = version;
    ask.onVersion(version);
  };
  learn(list.head.metadata?.resourceVersion);
  encoder.learn(cluster, list.head);
  // The same version has the same objects in the same order: those that were sent are passed over.
  let passedOver = 0;
  try {
    for await (const items of received(list.items)) {
      const fresh = items.slice(Math.min(items.length, progress.sent - passedOver));
      passedOver += items.length - fresh.length;
      if (fresh.length === 0) continue;
      const batch = encoder.initial(cluster, fresh, list.head);
      if (items.cutFrom) giveBack(items.cutFrom);
      progress.sent += fresh.length;
      passedOver += fresh.length;
      await ask.send(batch);
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof Interrupted)) throw error;
    return progress.version === undefined && progress.sent > 0 ? { is: 'lost', error: brokenOff(cluster) } : undefined;
  }
  learn(list.end().metadata?.resourceVersion ?? '');
  return { is: 'sent', version: progress.version! };
}

/** A list that breaks off is asked for again; what we cannot put into events would be the same each time. */
class Interrupted extends Error {}

async function* received<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (cause) {
    throw new Interrupted('the list broke off', { cause });
  }
}
