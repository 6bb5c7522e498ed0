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
  /** Called for each attempt. */
  source: () => Source;
  query: ListQuery;
  form: WatchShape['form'];
  encoder: EventEncoder;
  /** An answer that was opened already. */
  opened?: SourceList | undefined;
  /** Called with the position from which events continue, once it is known. */
  onVersion(version: string): void;
  /** Resolves when the queue has space. */
  send(batch: EventBatch): Promise<void>;
  signal: AbortSignal;
}

/** The watcher's part of the options; the shared watch adds the rest. */
export type InitialOptions = Pick<InitialAsk, 'cluster' | 'opened' | 'query' | 'signal' | 'source'>;

export type Initial =
  | { is: 'sent'; version: string }
  /** The member does not serve the resource. */
  | { is: 'absent' }
  /** The user is not allowed to list it there, or the request is invalid for it. */
  | { is: 'refused' }
  /** The rest of what was sent cannot be read. */
  | { is: 'lost'; error: StatusError };

export const listForm = (form: WatchShape['form']): Form =>
  form === 'PartialObjectMetadata' ? 'PartialObjectMetadataList' : form;

/** Retries an unreachable member until it answers. A list that breaks off is resumed at the same version (WATCH-3). */
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

/** Undefined: try again. */
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
  // The same version has the same objects in the same order: those that were sent are skipped.
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

/** A list that breaks off is read again. An object that cannot be encoded would fail each time. */
class Interrupted extends Error {}

async function* received<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (cause) {
    throw new Interrupted('the list broke off', { cause });
  }
}
