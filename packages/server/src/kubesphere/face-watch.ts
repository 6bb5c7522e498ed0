/** A watch in KubeSphere's form: translates each event of the control plane's watch of Clusters. */

import type { ResourceKind } from '@fleet/apiserver/registry/resource-kind.ts';
import { ShownObject } from '@fleet/apiserver/registry/stored-object.ts';
import { bookmark, SharedEvent, type WatchEvent } from '@fleet/apiserver/watch-cache/shared-event.ts';
import type { Follower, Watched } from '@fleet/apiserver/watch-cache/watcher.ts';
import { errorOf, type KubeClient } from '@fleet/client/kube-client.ts';
import { type Status, StatusError } from '@fleet/kube/status.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import { type Cluster, clustersPath } from '../members/cluster.ts';
import { type Entry, entryOf } from './face-entry.ts';
import { faceError } from './face-errors.ts';

export interface FaceWatchOptions {
  client: KubeClient;
  kind: ResourceKind;
  /** The client's query: the control plane checks selectors and versions. */
  query: URLSearchParams;
  signal: AbortSignal;
}

interface Event {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: Cluster;
}

const initialEventsEnd = 'k8s.io/initial-events-end';

export class FaceWatch implements Watched {
  readonly #options: FaceWatchOptions;
  #resume: (() => void) | undefined;

  constructor(options: FaceWatchOptions) {
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent, void, undefined> {
    try {
      yield* this.#events();
    } catch (error) {
      // The client or the deadline has ended it: it ends without an error, as in kube-apiserver.
      if (!this.#options.signal.aborted) throw faceError(error);
    }
  }

  follow(follower: Follower): void {
    const { signal } = this.#options;
    const send = async (): Promise<void> => {
      for await (const event of this) {
        if (follower.send(event) || signal.aborted) continue;
        await new Promise<void>((resolve) => {
          this.#resume = resolve;
        });
      }
    };
    const release = () => this.resume();
    signal.addEventListener('abort', release, { once: true });
    send()
      .finally(() => signal.removeEventListener('abort', release))
      .then(
        () => follower.end(undefined),
        (error: unknown) => follower.end(error),
      );
  }

  resume(): void {
    this.#resume?.();
  }

  async *#events(): AsyncGenerator<WatchEvent, void, undefined> {
    const { client, kind, query, signal } = this.#options;
    const asked = new URLSearchParams(query);
    asked.set('watch', 'true');
    const reply = await client.upstream.call({
      method: 'GET',
      path: `${clustersPath}?${asked}`,
      headers: { accept: 'application/json', 'user-agent': 'fleet' },
      signal,
    });
    if (reply.status !== 200) throw errorOf(reply.status, await reply.body.refusal());
    for await (const line of watchLines(reply.body, reply.body.memory)) {
      const event = translated(kind, JSON.parse(line.toString()) as Event);
      if (event) yield event;
    }
  }
}

function translated(kind: ResourceKind, { type, object }: Event): WatchEvent | undefined {
  if (type === 'ERROR') {
    const { code, reason = '', message, details } = object as unknown as Status;
    throw new StatusError(code, reason, message, details);
  }
  if (type === 'BOOKMARK') {
    const { resourceVersion, annotations } = object.metadata;
    return bookmark(Number(resourceVersion), annotations?.[initialEventsEnd] === 'true');
  }
  const { key, value, revision } = entryOf(object);
  const event = {
    key,
    revision,
    ...(type === 'DELETED' ? {} : { value }),
    ...(type === 'ADDED' ? {} : { previous: value }),
  };
  const read = (...entry: [Entry['key'], Entry['value'], number]) => new ShownObject(kind, ...entry);
  return new SharedEvent(event, read).for(() => true);
}
