/** The controller that a member has for its Workloads: it reports replicas as ready, and pauses what it is asked to. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Member } from '@fleet/bed/member.ts';

export interface Workload {
  metadata: { generation: number };
  spec: { replicas?: number; paused?: boolean };
  status?: { readyReplicas?: number };
}

export interface MemberController extends AsyncDisposable {
  /** How often it has written into the spec. */
  readonly pauses: number;
}

const every = 100;
const contentType = 'application/merge-patch+json';

/** `paused` is what it brings each spec to; undefined to leave it alone. */
export function startController({ api }: Member, path: string, paused: boolean | undefined): MemberController {
  const ending = new AbortController();
  let pauses = 0;
  const reconcile = async (): Promise<void> => {
    const { code, body } = await api.ask(path);
    if (code === 404) return;
    const { spec, status } = JSON.parse(body) as Workload;
    if (paused !== undefined && spec.paused !== paused) {
      pauses += 1;
      await api.object(path, { method: 'PATCH', contentType, body: { spec: { paused } } });
    }
    const readyReplicas = spec.replicas ?? 1;
    if (status?.readyReplicas === readyReplicas) return;
    await api.object(`${path}/status`, { method: 'PATCH', contentType, body: { status: { readyReplicas } } });
  };
  const running = (async () => {
    while (!ending.signal.aborted) {
      await reconcile();
      await pause(every, undefined, { signal: ending.signal }).catch(() => {});
    }
  })();
  return {
    get pauses() {
      return pauses;
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await running;
    },
  };
}
