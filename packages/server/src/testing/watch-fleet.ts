/** A fleet of simulated members with merged watches, and clients that record the events that they get. */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { watchLines } from '@fleet/kube/watch-lines.ts';
import { expect, vi } from 'vitest';
import type { User } from '../authn/user.ts';
import type { PlainReply } from '../http/message.ts';
import type { Source } from '../merge/source.ts';
import { combineVersions } from '../present/versions.ts';
import type { View } from '../target/target.ts';
import { mergeWatch } from '../watch/merge-watch.ts';
import { SharedWatches } from '../watch/shared-watches.ts';
import type { FakeWatched } from './fake-watched.ts';
import { knownKinds } from './known-kinds.ts';
import { incomingOf, targetOf } from './targets.ts';

interface Received {
  type: string;
  name?: string;
  version?: string;
  /** Of a bookmark. */
  map?: Record<string, string | null>;
  end?: true;
  code?: number;
}

export const alice: User = { name: 'alice', uid: undefined, groups: [], extra: {}, origin: 'other' };

export class Fleet implements Disposable {
  members: FakeWatched[];
  /** What the control plane grants; by default everything. */
  granted: string[] | undefined;
  watches: SharedWatches;
  /** The view of the events; by default that of the vanilla family. */
  view: View | undefined;
  /** What the control plane grants when the review is repeated. */
  clustersNow = async (): Promise<readonly string[]> => this.clusters;
  readonly faults: unknown[] = [];
  /** Sources for users' requests instead of the members themselves. */
  sources: ((cluster: string, user: User) => Source) | undefined;
  /** The API servers that clusters lead to, if a test sets them. */
  readonly servers = new Map<string, string>();
  /** The users as whom requests were sent to members. */
  readonly askedAs: User[] = [];
  constructor(...members: FakeWatched[]) {
    this.members = members;
    this.watches = new SharedWatches((error) => this.faults.push(error));
  }
  [Symbol.dispose](): void {
    this.watches.end();
  }
  get clusters(): string[] {
    return this.granted ?? this.members.map(({ cluster }) => cluster);
  }
  member(cluster: string): FakeWatched {
    const found = this.members.find((member) => member.cluster === cluster);
    if (!found) throw new Error(`no member ${cluster}`);
    return found;
  }

  async watch(
    query: string,
    {
      accept,
      gone = new AbortController(),
      user = alice,
    }: { accept?: string; gone?: AbortController; user?: User } = {},
  ) {
    const headers = accept ? { accept } : {};
    const vanilla = targetOf('GET', `/api/v1/pods?${query}`);
    const target = { ...vanilla, view: this.view ?? vanilla.view };
    const resource = target.ask as ResourceRequest;
    const reply = await mergeWatch(
      {
        watches: this.watches,
        kindOf: async () => ({ kind: 'Pod', apiVersion: 'v1' }),
        kinds: knownKinds,
        serves: async () => true,
        serverOf: (cluster) => this.servers.get(cluster),
        partialLists: 'tables',
        onMissing: () => {},
      },
      {
        user,
        scope: '',
        target,
        clusters: this.clusters,
        clustersNow: () => this.clustersNow(),
        sourceOf: (cluster) => {
          this.askedAs.push(user);
          return this.sources?.(cluster, user) ?? this.member(cluster);
        },
        incoming: incomingOf('GET', '/api/v1/pods', { headers, signal: gone.signal }),
      },
      resource,
    );
    return new Client((reply as PlainReply).body as AsyncIterable<Buffer>, gone);
  }
}

export class Client {
  readonly received: Received[] = [];
  readonly raw: string[] = [];
  ended = false;
  private readonly gone: AbortController;

  constructor(body: AsyncIterable<Buffer>, gone: AbortController) {
    this.gone = gone;
    this.read(body).catch(() => {});
  }

  private async read(body: AsyncIterable<Buffer>): Promise<void> {
    for await (const line of watchLines(body)) {
      this.raw.push(line.toString());
      this.received.push(receivedEvent(JSON.parse(line.toString()) as Line));
    }
    this.ended = true;
  }

  leave(): void {
    this.gone.abort();
  }

  get events(): string[] {
    return this.received
      .filter(({ type }) => type !== 'BOOKMARK')
      .map(({ type, name }) => `${type} ${name ?? ''}`.trim());
  }

  get bookmarks(): Received[] {
    return this.received.filter(({ type }) => type === 'BOOKMARK');
  }

  async until(condition: () => boolean): Promise<void> {
    await vi.waitFor(() => expect(condition(), JSON.stringify(this.received)).toBe(true), 3000);
  }
}

interface Line {
  type: string;
  object: {
    code?: number;
    metadata: { name: string; resourceVersion: string; annotations?: Record<string, string> };
  };
}

function receivedEvent({ type, object }: Line): Received {
  if (type === 'ERROR') return { type, code: object.code ?? 0 };
  const version = object.metadata.resourceVersion;
  if (type !== 'BOOKMARK') return { type, name: object.metadata.name, version };
  const map = JSON.parse(Buffer.from(version, 'base64url').toString()) as NonNullable<Received['map']>;
  return object.metadata.annotations?.['k8s.io/initial-events-end'] ? { type, map, end: true } : { type, map };
}

export const userOf = (name: string): User => ({ ...alice, name });

export const from = (entries: Record<string, string | null>) =>
  `watch=true&allowWatchBookmarks=true&resourceVersion=${combineVersions(new Map(Object.entries(entries)))}`;
export const watchList = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
