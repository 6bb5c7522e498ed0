/** Lists and watches through a product as client-go's reflectors do, and records events that contradict each other. */

import { setTimeout as pass } from 'node:timers/promises';
import type { Client, Line, WatchedObject } from './client.ts';
import { type Held, heldOf, textOf } from './held.ts';

export interface WatcherOptions {
  name: string;
  client: Client;
  path: string;
  /** As in `labelSelector=part%3Da`. */
  query?: string;
  /** Begins with a watch that sends the initial objects, instead of a list. */
  streams?: boolean;
  /** Why an object that is held may be reported as gone; undefined where it may not. */
  isPossiblyGone(held: Held): boolean;
  /** Whether versions of this cluster may go back: it was restored. */
  canGoBack(cluster: string): boolean;
}

/** Between two attempts, in milliseconds. */
const pause = 100;

export class Watcher implements AsyncDisposable {
  readonly options: WatcherOptions;
  /** By uid. */
  readonly held = new Map<string, Held>();
  /** Wrong events, as messages. */
  readonly wrong: string[] = [];
  /** Why its watches ended, one message each. */
  readonly ends: string[] = [];
  deletions = 0;
  events = 0;
  isFollowing = false;
  private readonly ending = new AbortController();
  private readonly running: Promise<void>;

  constructor(options: WatcherOptions) {
    this.options = options;
    this.running = this.run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      try {
        const version = this.options.streams ? undefined : await this.list();
        if (version !== undefined || this.options.streams) await this.watch(version);
        else await pass(pause);
      } catch (error) {
        if (signal.aborted) return;
        this.ends.push(`broke off: ${error}`);
        await pass(pause);
      }
      this.isFollowing = false;
    }
  }

  /** Undefined where there is no answer: client-go tries again, too. */
  private async list(): Promise<string | undefined> {
    const { client, path, query = '' } = this.options;
    const { code, body } = await client.get(`${path}?resourceVersion=0&${query}`);
    if (code !== 200) return undefined;
    const { metadata, items } = JSON.parse(body) as { metadata: { resourceVersion: string }; items: WatchedObject[] };
    this.replace(items.map(heldOf));
    return metadata.resourceVersion;
  }

  private async watch(from: string | undefined): Promise<void> {
    const { client, path, query = '' } = this.options;
    const start =
      from === undefined ? 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan' : `resourceVersion=${from}`;
    const asked = `${path}?watch=true&allowWatchBookmarks=true&${start}&${query}`;
    let initial: Held[] | undefined = from === undefined ? [] : undefined;
    this.isFollowing = initial === undefined;
    for await (const line of client.watch(asked, this.ending.signal)) {
      const { type, object } = line;
      if (type === 'ERROR') {
        this.ends.push(`${object.code}: ${object.message}`);
        return;
      }
      if (!initial) this.take(line);
      else if (type === 'ADDED') initial.push(heldOf(object));
      else if (object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true') {
        this.replace(initial);
        initial = undefined;
        this.isFollowing = true;
      }
    }
    this.ends.push('closed without an error');
  }

  /** What is no longer listed has gone as surely as what is reported as deleted. */
  private replace(objects: readonly Held[]): void {
    const now = new Map(objects.map((held) => [held.uid, held]));
    for (const held of this.held.values()) if (!now.has(held.uid)) this.judgeGone('no longer listed', held);
    this.held.clear();
    for (const [uid, held] of now) this.held.set(uid, held);
  }

  private take({ type, object }: Line): void {
    if (type === 'BOOKMARK') return;
    this.events++;
    const received = heldOf(object);
    const before = this.held.get(received.uid);
    const fault = (why: string) => this.wrong.push(`${type} of ${textOf(received)}: ${why}`);
    if (type === 'ADDED' && before) fault(`held already at ${before.version}`);
    if (type !== 'ADDED' && !before) fault('never added');
    if (before && isBack(type, received, before) && !this.options.canGoBack(received.cluster))
      fault(`not newer than ${before.version}`);
    if (type !== 'DELETED') {
      this.held.set(received.uid, received);
      return;
    }
    this.deletions++;
    this.held.delete(received.uid);
    if (before) this.judgeGone('DELETED', before);
  }

  private judgeGone(how: string, held: Held): void {
    if (!this.options.isPossiblyGone(held)) this.wrong.push(`false deletion (${how}): ${textOf(held)}`);
  }
}

/** What was deleted while nobody watched is shown as it was last known (WATCH-6). */
function isBack(type: string, received: Held, before: Held): boolean {
  const [now, then] = [BigInt(received.version), BigInt(before.version)];
  return type === 'DELETED' ? now < then : now <= then;
}
