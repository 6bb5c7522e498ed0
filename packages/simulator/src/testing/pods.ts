/** Pods, clocks and nodes for tests. */

import type { Clock } from '../clock.ts';
import type { RunningPod } from '../nodes/running-pod.ts';
import type { RunningPodSource } from '../pods/observed-container.ts';
import type { Container, ContainerStatus, StoredPod } from '../pods/pod.ts';

export const startedAt = '2026-11-17T12:00:00Z';

/** A running pod with one container, `app`. */
export function runningPod(container: Partial<Container> = {}, status: Partial<ContainerStatus> = {}): StoredPod {
  const spec = { name: 'app', image: 'shop/frontend:1.2', ...container };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web-1',
      namespace: 'default',
      uid: 'a7f0c1d2-0000-4000-8000-000000000001',
      labels: { app: 'web' },
    },
    spec: { nodeName: 'node-1', containers: [spec] },
    status: {
      phase: 'Running',
      podIP: '10.244.1.7',
      hostIP: '172.18.0.2',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        {
          name: spec.name,
          ready: true,
          restartCount: 0,
          image: spec.image,
          imageID: '',
          containerID: `containerd://${'a'.repeat(64)}`,
          state: { running: { startedAt } },
          ...status,
        },
      ],
    },
  };
}

export const terminated = (exitCode: number, reason: string) => ({
  terminated: {
    exitCode,
    reason,
    startedAt,
    finishedAt: '2026-11-17T12:00:10Z',
    containerID: `containerd://${'b'.repeat(64)}`,
  },
});

/** Time advances by waiting only, and immediately. */
export class TestClock implements Clock {
  #now: number;

  constructor(now: string | number) {
    this.#now = typeof now === 'string' ? Date.parse(now) : now;
  }

  now(): number {
    return this.#now;
  }

  async wait(millis: number, signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    this.#now += Math.min(millis, 3_600_000);
  }
}

/** Nodes whose pods a test sets. */
export class TestNodes implements RunningPodSource {
  #pod: RunningPod | undefined;
  readonly #observers = new Set<(pod: RunningPod | undefined) => void>();

  constructor(pod: RunningPod | undefined) {
    this.#pod = pod;
  }

  running(uid: string): RunningPod | undefined {
    return this.#pod?.uid === uid ? this.#pod : undefined;
  }

  observe(_uid: string, changed: (pod: RunningPod | undefined) => void): Disposable {
    this.#observers.add(changed);
    return { [Symbol.dispose]: () => void this.#observers.delete(changed) };
  }

  readonly ended: unknown[][] = [];

  end(...ended: Parameters<RunningPodSource['end']>): void {
    this.ended.push(ended);
  }

  get observers(): number {
    return this.#observers.size;
  }

  change(pod: RunningPod | undefined): void {
    this.#pod = pod;
    for (const changed of this.#observers) changed(pod);
  }
}
