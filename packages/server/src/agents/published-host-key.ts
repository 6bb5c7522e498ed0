/** Publishes this replica's public host key beside those of others, so that tokens and known_hosts can pin them (AGENT-3). */

import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { type Clock, machineClock } from '@fleet/tunnel/clock.ts';
import { isStale, publishedLine, readPublishedLine } from '@fleet/tunnel/published-host-key.ts';
import type { Logger } from 'pino';
import { secretsNamespace } from '../members/cluster.ts';
import type { ReplicaKey } from './agent-host-key.ts';

const name = 'fleet-agent-server';
const path = `/api/v1/namespaces/${secretsNamespace}/configmaps`;
const refreshTime = 60 * 60 * 1000;

/** Other servers compare this time. It is the machine's uptime clock, which continues while the process is suspended. */
const wallClock: Clock = { ...machineClock, now: () => Date.now() };

interface PublishedParts {
  key: Pick<ReplicaKey, 'replica' | 'publicKey'>;
  controlPlane: KubeClient;
  log: Logger;
  clock?: Clock;
}

/** While it runs, the entry shows that the server is alive. */
export async function keepHostKeyPublished({
  key,
  controlPlane,
  log,
  clock = wallClock,
}: PublishedParts): Promise<AsyncDisposable> {
  const ending = new AbortController();
  let timer: Disposable | undefined;
  const publish = async (): Promise<void> => {
    try {
      await new HostKeys(controlPlane, clock.now(), ending.signal).publish(key);
    } catch (error) {
      // If the entry cannot be written, as in a control plane of others, the server still serves.
      if (!ending.signal.aborted)
        log.warn({ err: error, hostKey: key.publicKey }, 'the host key for agents could not be published');
    }
    if (ending.signal.aborted) return;
    timer = clock.timer(refreshTime, () => {
      publishing = publish();
    });
  };
  let publishing = publish();
  await publishing;
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      timer?.[Symbol.dispose]();
      await publishing;
    },
  };
}

interface Published extends KubeObject {
  data?: Record<string, string>;
}

class HostKeys {
  readonly #client: KubeClient;
  readonly #now: number;
  readonly #signal: AbortSignal;

  constructor(client: KubeClient, now: number, signal: AbortSignal) {
    this.#client = client;
    this.#now = now;
    this.#signal = signal;
  }

  async publish({ replica, publicKey }: PublishedParts['key']): Promise<void> {
    const data = { [replica]: publishedLine(publicKey, this.#now) };
    try {
      const known = await this.#client.get<Published>(`${path}/${name}`, this.#signal);
      await this.#renew(known, data);
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
      await this.#create(data);
    }
  }

  /** Also removes entries of servers that no longer run. */
  async #renew({ metadata: { resourceVersion }, data: known = {} }: Published, data: Record<string, string>) {
    const gone = Object.keys(known).filter((replica) => !(replica in data) && this.#isGone(known[replica]!));
    if (gone.length === 0) return this.#patch({ data });
    const removed = Object.fromEntries(gone.map((replica) => [replica, null]));
    try {
      await this.#patch({ metadata: { resourceVersion }, data: { ...removed, ...data } });
    } catch (error) {
      // One of them may have restarted: its next update will show.
      if (!isStatus(error, 409)) throw error;
      await this.#patch({ data });
    }
  }

  async #create(data: Record<string, string>): Promise<void> {
    const labels = { 'app.kubernetes.io/managed-by': 'fleet' };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data };
    try {
      await this.#client.create(path, map, this.#signal);
    } catch (error) {
      // Another replica has written first.
      if (!isStatus(error, 409)) throw error;
      await this.#patch({ data });
    }
  }

  async #patch(patch: object): Promise<void> {
    await this.#client.patch(`${path}/${name}`, 'merge', patch, this.#signal);
  }

  #isGone(line: string): boolean {
    const key = readPublishedLine(line);
    return key !== undefined && isStale(key, this.#now);
  }
}
