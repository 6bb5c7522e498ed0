/** All that watch one product, and what members have beside what they believe. */

import { until } from '@fleet/bed/until.ts';
import { type AskedProduct, Client, type WatchedObject } from './client.ts';
import { aggregation, differences, type Held, heldOf } from './held.ts';
import type { Journal } from './journal.ts';
import { configMaps, everywhere, type Kind, kinds, steadyKinds, within } from './kinds.ts';
import { Watcher, type WatcherOptions } from './watcher.ts';
import { selected, type WrittenMember } from './writer.ts';

interface Seen extends Pick<WatcherOptions, 'name' | 'path' | 'query' | 'streams'> {
  /** The same in a member. */
  direct: string;
}

const seen: readonly Seen[] = [
  ...kinds.map((kind) => ({ name: `vanilla ${kind.plural}`, path: everywhere(kind), direct: everywhere(kind) })),
  // Of kinds that stay registered: at that endpoint what is not registered is the control plane's own.
  ...steadyKinds.map((kind) => ({
    name: `aggregation ${kind.plural}`,
    path: `${aggregation}${everywhere(kind)}`,
    direct: everywhere(kind),
  })),
  { name: 'vanilla configmaps, streamed', path: within(configMaps), direct: within(configMaps), streams: true },
  {
    name: 'vanilla configmaps, selected',
    path: within(configMaps),
    direct: `${within(configMaps)}?labelSelector=${encodeURIComponent(selected)}`,
    query: `labelSelector=${encodeURIComponent(selected)}`,
  },
];

export interface ObserversOptions {
  product: AskedProduct;
  members: readonly WrittenMember[];
  journal: Journal;
}

export class Observers implements AsyncDisposable {
  readonly client: Client;
  /** Clusters that the view may lose, so that their objects go. */
  readonly leaving = new Set<string>();
  /** Clusters that were restored: what they have now is all that there ever was. */
  readonly restored = new Map<string, ReadonlySet<string>>();
  /** The members in the view. */
  readonly inView: Set<string>;
  private readonly options: ObserversOptions;
  private readonly watchers: readonly (Seen & { watcher: Watcher })[];

  constructor(options: ObserversOptions) {
    const { product, journal, members } = options;
    this.options = options;
    this.inView = new Set(members.map(({ name }) => name));
    this.client = new Client(product);
    const judges = {
      isPossiblyGone: ({ uid, cluster }: Held) =>
        journal.isDeleted(uid) || this.leaving.has(cluster) || this.restored.get(cluster)?.has(uid) === false,
      canGoBack: (cluster: string) => this.restored.has(cluster),
    };
    this.watchers = seen.map((one) => ({
      ...one,
      watcher: new Watcher({ ...one, client: this.client, ...judges }),
    }));
  }

  get wrong(): string[] {
    return this.watchers.flatMap(({ name, watcher }) => watcher.wrong.map((what) => `${name}: ${what}`));
  }

  /** Why watches ended, each with the watcher's name. */
  get ends(): string[] {
    return this.watchers.flatMap(({ name, watcher }) => watcher.ends.map((why) => `${name}: ${why}`));
  }

  /** They were looked at, and are as the rules have it. */
  forgiveEnds(): void {
    for (const { watcher } of this.watchers) watcher.ends.length = 0;
  }

  /** DELETED events that were counted. */
  get deletions(): number {
    return this.watchers.reduce((sum, { watcher }) => sum + watcher.deletions, 0);
  }

  get events(): number {
    return this.watchers.reduce((sum, { watcher }) => sum + watcher.events, 0);
  }

  get falseDeletions(): number {
    return this.wrong.filter((what) => what.includes('false deletion')).length;
  }

  /** Nothing is written meanwhile: every watcher comes to hold just what these members have. */
  async settled(after: string, timeout = 40_000, only: ReadonlySet<string> = this.inView): Promise<void> {
    let left: string[] = [];
    const isOver = async () => {
      left = await this.beliefs(only);
      return left.length === 0 || this.wrong.length > 0;
    };
    await until(`watchers hold what there is after ${after}`, isOver, { timeout, every: 100 }).catch(
      (cause: unknown) => {
        const isShort = left.length > 0 ? left.slice(0, 20).join('\n') : String((cause as Error).cause);
        throw new Error(`watchers do not hold what there is after ${after}:\n${isShort}`, { cause });
      },
    );
    if (this.wrong.length > 0) throw new Error(`after ${after}:\n${this.wrong.slice(0, 20).join('\n')}`);
  }

  /** How watchers and members differ, one message each. */
  async beliefs(only: ReadonlySet<string> = this.inView): Promise<string[]> {
    const idle = this.watchers.filter(({ watcher }) => !watcher.isFollowing);
    if (idle.length > 0) return idle.map(({ name }) => `${name}: it does not follow`);
    const paths = [...new Set(this.watchers.map(({ direct }) => direct))];
    const lists = await Promise.all(paths.map(async (path) => [path, await this.there(path, only)] as const));
    const there = new Map(lists);
    return this.watchers.flatMap(({ name, direct, watcher }) => {
      const held = [...watcher.held.values()].filter(({ cluster }) => only.has(cluster));
      return differences(held, there.get(direct)!).map((what) => `${name}: ${what}`);
    });
  }

  /** How lists of the product and those of the members differ, one message each. */
  async listed(some: readonly Kind[] = kinds, only: ReadonlySet<string> = this.inView): Promise<string[]> {
    const views = (kind: Kind) => (steadyKinds.includes(kind) ? ['', aggregation] : ['']);
    const asked = some.flatMap((kind) =>
      views(kind).flatMap((view) => ['', '?resourceVersion=0'].map((query) => ({ kind, view, query }))),
    );
    const all: string[] = [];
    // One after the other: they may be large.
    for (const { kind, view, query } of asked) {
      const path = `${view}${everywhere(kind)}${query}`;
      const { code, warnings, body } = await this.client.get(path);
      if (code !== 200) all.push(`${path}: ${code} ${body}`);
      const held = code === 200 ? itemsOf(body).map(heldOf) : [];
      const wrong = differences(
        held.filter(({ cluster }) => only.has(cluster)),
        await this.there(everywhere(kind), only),
      );
      if (warnings) wrong.push(`warned: ${warnings}`);
      all.push(...wrong.map((what) => `${path}: ${what}`));
    }
    return all;
  }

  /** The same, asked again until it is so: a stream may be behind by its delay. */
  async listsAreRight(after: string, some: readonly Kind[] = kinds, timeout = 60_000): Promise<void> {
    let left: string[] = [];
    const isSo = async () => {
      left = await this.listed(some);
      return left.length === 0;
    };
    await until(`lists are the members' after ${after}`, isSo, { timeout, every: 200 }).catch((cause: unknown) => {
      throw new Error(`lists are not the members' after ${after}:\n${left.slice(0, 20).join('\n')}`, { cause });
    });
  }

  /** What members have themselves. */
  async there(direct: string, only: ReadonlySet<string>): Promise<Held[]> {
    const lists = await Promise.all(
      this.options.members
        .filter(({ name }) => only.has(name))
        .map(async ({ name, api }) => {
          const { items } = await api.object<{ items: WatchedObject[] }>(direct, {
            accept: metadataOnly,
            timeout: 60_000,
          });
          return items.map((item) => ({ ...heldOf(item), cluster: name }));
        }),
    );
    return lists.flat();
  }

  /** What a list of the product has of one cluster. */
  async listedOf(cluster: string, kind: Kind, query = ''): Promise<{ code: number; warnings: string; held: Held[] }> {
    const { code, warnings, body } = await this.client.get(`${everywhere(kind)}${query}`);
    const held = code === 200 ? itemsOf(body).map(heldOf) : [];
    return { code, warnings, held: held.filter((one) => one.cluster === cluster) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.watchers.map(({ watcher }) => watcher[Symbol.asyncDispose]()));
    this.client[Symbol.dispose]();
  }
}

/** Objects may be large, and nothing else is compared. */
const metadataOnly = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

const itemsOf = (body: string): WatchedObject[] => (JSON.parse(body) as { items: WatchedObject[] }).items;
