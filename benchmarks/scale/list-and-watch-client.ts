/**
 * A client as a process of its own, written plainly: Node's https with one keep-alive agent a server. It reads lists and watches,
 * of one server or of many at once.
 */

import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { answerParent } from './child-process.ts';

export interface Server {
  name: string;
  url: string;
  ca: string;
  cert: string;
  key: string;
}

export interface ListAsk {
  /** All of them at once. */
  servers: readonly string[];
  path: string;
  /** Reads the bytes only, or parses the lists and writes them as one, as the product shows it. */
  merges?: boolean;
  /** How often, one after the other; once if left out. */
  times?: number;
}

export interface LatencyAsk {
  /** The server where the object is changed. */
  at: string;
  /** The servers that are watched. */
  seenBy: readonly string[];
  /** Path of the collection. */
  watched: string;
  /** Path of the object. */
  changed: string;
  times: number;
}

export interface Read {
  millis: number;
  /** Of this process. */
  cpu: number;
  bytes: number;
}

const headers = { accept: 'application/json', 'user-agent': 'bench' };
const known = new Map<string, { url: string; agent: Agent }>();

async function open(name: string, path: string, options: RequestOptions = {}, body?: string): Promise<IncomingMessage> {
  const { url, agent } = known.get(name)!;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(`${url}${path}`, { agent, ...options, headers: { ...headers, ...options.headers } }, resolve)
    .on('error', reject)
    .end(body);
  const response = await promise;
  if (response.statusCode !== 200) throw new Error(`${name}${path}: ${response.statusCode} ${await text(response)}`);
  return response;
}

async function readBytes(name: string, path: string): Promise<number> {
  const response = await open(name, path);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
  });
  response.on('end', () => resolve(size)).on('error', reject);
  return promise;
}

interface List {
  items: { metadata: { name: string; labels?: Record<string, string> } }[];
}

/** What a program does that shows one list: as bytes, item by item, since all in one string would be too long. */
async function readMerged(name: string, path: string): Promise<number> {
  const { items } = JSON.parse(await text(await open(name, path))) as List;
  let size = 0;
  for (const item of items) {
    item.metadata.name = `${item.metadata.name}.clusterspace.${name}`;
    item.metadata.labels = { ...item.metadata.labels, clusterspace: name };
    size += Buffer.from(JSON.stringify(item)).length;
  }
  return size;
}

/** Of one time, on average. */
async function measured(times: number, work: () => Promise<number>): Promise<Read> {
  const before = process.cpuUsage();
  const begun = performance.now();
  let bytes = 0;
  for (let time = 0; time < times; time++) bytes = await work();
  const { user, system } = process.cpuUsage(before);
  return { millis: (performance.now() - begun) / times, cpu: (user + system) / 1_000 / times, bytes };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const watchQuery = 'watch=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';

/** Reads a watch until the initial events are through, or until a mark comes. */
class Watch implements Disposable {
  bytes = 0;
  private readonly response: IncomingMessage;
  private last = '';
  private awaited: { mark: string; seen: (at: number) => void; failed: (error: Error) => void } | undefined;

  constructor(response: IncomingMessage) {
    this.response = response;
    response.on('data', (chunk: Buffer) => this.take(chunk));
    // Ended by us, unless something is awaited.
    response.on('error', () => {});
    response.on('close', () => this.awaited?.failed(new Error(`the watch ended: ${this.last.slice(-1_000)}`)));
  }

  /** When the mark has come, as `performance.now()` has it. */
  async seen(mark: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.awaited = { mark, seen: resolve, failed: reject };
    this.look();
    return promise;
  }

  [Symbol.dispose](): void {
    this.response.destroy();
  }

  private take(chunk: Buffer): void {
    this.bytes += chunk.length;
    // A mark may lie across two chunks.
    this.last = this.last.slice(-100) + chunk.toString('latin1', Math.max(0, chunk.length - 16_384));
    this.look();
  }

  private look(): void {
    if (!this.awaited || !this.last.includes(this.awaited.mark)) return;
    this.awaited.seen(performance.now());
    this.awaited = undefined;
  }
}

async function watchFromNow(name: string, path: string): Promise<Watch> {
  const page = JSON.parse(await text(await open(name, `${path}?limit=1`))) as { metadata: { resourceVersion: string } };
  const { resourceVersion } = page.metadata;
  return new Watch(await open(name, `${path}?watch=true&resourceVersion=${encodeURIComponent(resourceVersion)}`));
}

/** At the end of the bookmark behind the initial events. */
const initialEnd = 'k8s.io/initial-events-end';

const commands = {
  async know(servers: readonly Server[]): Promise<void> {
    for (const { name, url, ca, cert, key } of servers) {
      known.set(name, { url, agent: new Agent({ keepAlive: true, ca, cert, key }) });
    }
  },

  list: ({ servers, path, merges, times = 1 }: ListAsk): Promise<Read> =>
    measured(times, async () => {
      const read = merges ? readMerged : readBytes;
      return sum(await Promise.all(servers.map((name) => read(name, path))));
    }),

  /** Until the initial events of all have come. */
  watch: ({ servers, path }: ListAsk): Promise<Read> =>
    measured(1, async () =>
      sum(
        await Promise.all(
          servers.map(async (name) => {
            using watch = new Watch(await open(name, `${path}?${watchQuery}&sendInitialEvents=true`));
            await watch.seen(initialEnd);
            return watch.bytes;
          }),
        ),
      ),
    ),

  /** Milliseconds from the change of an object until the watch of each server is sent it. */
  async latencies({ at, seenBy, watched, changed, times }: LatencyAsk): Promise<number[][]> {
    using opened = new DisposableStack();
    const watches: Watch[] = [];
    for (const name of seenBy) watches.push(opened.use(await watchFromNow(name, watched)));
    const taken: number[][] = [];
    for (let time = 0; time < times; time++) {
      const mark = `change-${Date.now()}-${time}`;
      const seen = watches.map((watch) => watch.seen(mark));
      const patch = JSON.stringify({ metadata: { annotations: { mark } } });
      const options = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } };
      const begun = performance.now();
      const answer = await open(at, changed, options, patch);
      taken.push((await Promise.all(seen)).map((moment) => moment - begun));
      await text(answer);
    }
    return taken;
  },
};

export type ReaderCommands = typeof commands;

if (process.send && import.meta.main) answerParent(commands);
