/** Many watchers, in a process of their own so that they take no time from what is measured. */

import { fork } from 'node:child_process';
import { Receipts, type Received } from './watch-received.ts';
import { openWatch, type Protocol, type WatchedServer, type WatchStream } from './watch-stream.ts';

export interface Group {
  name: string;
  from: WatchedServer;
  path: string;
  protocol: Protocol;
  count: number;
  /** Each as a user of its own, in this group. */
  usersOf?: string;
  /** Keeps when each event came, and which it was. */
  stamped?: boolean;
  /** Goes on after its last event where the server ends it: kube-apiserver ends those that it had no CPU to send in time. */
  resumed?: boolean;
}

export interface WatcherReport {
  received: Record<string, Received>;
  /** How it ended, if it has: by the server between two events, or broken off. */
  ended: 'whole' | 'broken' | undefined;
  /** Of a group that is stamped: marks in the order in which they came, and when, in milliseconds of the process. */
  stamps: [mark: string, at: number][];
}

type Order =
  | { do: 'open'; group: Group }
  | { do: 'slow down'; name: string; bytesPerSecond: number | undefined }
  /** Each at its own moment within so many milliseconds. */
  | { do: 'cut'; name: string; within: number }
  | { do: 'count'; name: string }
  | { do: 'report'; name: string };

type Answer = { id: number; value: unknown } | { id: number; error: string };

export interface Crowd extends Disposable {
  /** All are open when this returns. */
  open(group: Group): Promise<void>;
  slowDown(name: string, bytesPerSecond: number | undefined): Promise<void>;
  cut(name: string, within: number): Promise<void>;
  /** Events that the group has received so far, all together. */
  count(name: string): Promise<number>;
  report(name: string): Promise<WatcherReport[]>;
}

export function startCrowd(): Crowd {
  const child = fork(import.meta.filename, { serialization: 'advanced' });
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  child.on('message', (answer: Answer) => {
    const { resolve, reject } = asked.get(answer.id)!;
    asked.delete(answer.id);
    if ('error' in answer) reject(new Error(answer.error));
    else resolve(answer.value);
  });
  child.on('exit', (code) => {
    for (const { reject } of asked.values()) reject(new Error(`the watchers' process ended with ${code}`));
  });
  const ask = (order: Order): Promise<unknown> => {
    const asking = Promise.withResolvers<unknown>();
    asked.set(++last, asking);
    child.send({ id: last, order });
    return asking.promise;
  };
  return {
    open: async (group) => void (await ask({ do: 'open', group })),
    slowDown: async (name, bytesPerSecond) => void (await ask({ do: 'slow down', name, bytesPerSecond })),
    cut: async (name, within) => void (await ask({ do: 'cut', name, within })),
    count: async (name) => (await ask({ do: 'count', name })) as number,
    report: async (name) => (await ask({ do: 'report', name })) as WatcherReport[],
    [Symbol.dispose]: () => child.kill(),
  };
}

const versionIn = (event: string): string | undefined => /"resourceVersion":"(\d+)"/.exec(event)?.[1];

class CrowdWatcher {
  report: WatcherReport['ended'];
  readonly receipts = new Receipts();
  readonly stamps: WatcherReport['stamps'] = [];
  stream: WatchStream | undefined;
  private version: string | undefined;

  async open(group: Group): Promise<void> {
    this.stream = await openWatch(group.from, group.path, group.protocol, {
      onLine: (bytes, start, end) => {
        const mark = this.receipts.take(bytes, start, end);
        if (group.stamped && mark !== undefined) this.stamps.push([mark, performance.now()]);
        if (group.resumed) this.version = versionIn(bytes.toString('latin1', start, end)) ?? this.version;
      },
      onEnd: (whole) => {
        if (whole && group.resumed) void this.resume(group);
        else this.report = whole ? 'whole' : 'broken';
      },
    });
  }

  private async resume(group: Group): Promise<void> {
    const path = group.path.replace(/(?<=resourceVersion=)\d+/, (first) => this.version ?? first);
    await this.open({ ...group, path }).catch(() => {
      this.report = 'broken';
    });
  }

  get events(): number {
    return Object.values(this.receipts.clusters).reduce((sum, { count }) => sum + count, 0);
  }
}

/** So that a server is not met by a thousand handshakes at once. */
const openAtOnce = 16;

class Groups {
  private readonly groups = new Map<string, CrowdWatcher[]>();

  async carryOut(order: Order): Promise<unknown> {
    if (order.do === 'open') return this.open(order.group);
    const watchers = this.groups.get(order.name) ?? [];
    switch (order.do) {
      case 'slow down':
        for (const { stream } of watchers) stream?.readAtMost(order.bytesPerSecond);
        return undefined;
      case 'cut':
        for (const { stream } of watchers) setTimeout(() => stream?.cut(), Math.random() * order.within);
        return undefined;
      case 'count':
        return watchers.reduce((sum, { events }) => sum + events, 0);
      case 'report':
        return watchers.map(({ receipts, report, stamps }) => ({ received: receipts.clusters, ended: report, stamps }));
      default:
        return order satisfies never;
    }
  }

  private async open(group: Group): Promise<void> {
    const watchers: CrowdWatcher[] = [];
    this.groups.set(group.name, watchers);
    let next = 0;
    const lane = async () => {
      while (next++ < group.count) {
        const watcher = new CrowdWatcher();
        const as = group.usersOf && { user: `${group.usersOf}-${next}`, group: group.usersOf };
        await watcher.open(as ? { ...group, from: { ...group.from, as } } : group);
        watchers.push(watcher);
      }
    };
    await Promise.all(Array.from({ length: Math.min(openAtOnce, group.count) }, lane));
  }
}

if (process.send && import.meta.main) {
  const groups = new Groups();
  process.on('message', ({ id, order }: { id: number; order: Order }) => {
    groups.carryOut(order).then(
      (value) => process.send!({ id, value }),
      (error) => process.send!({ id, error: `${error.stack}` }),
    );
  });
}
