/** Waits until the pods of the shops are ready, so that the first list of the tour shows running pods. */

import type { KubeClient, KubeObject } from '@fleet/client/kube-client.ts';
import { poll } from '../poll.ts';
import type { ReportProgress } from '../progress.ts';
import { shop } from './shop.ts';

interface Deployment extends KubeObject {
  spec: { replicas?: number };
  status?: { availableReplicas?: number };
}

/** In milliseconds. A demo that is slow is a demo all the same. */
const patience = 10_000;

const isAvailable = ({ spec, status }: Deployment): boolean => (status?.availableReplicas ?? 0) >= (spec.replicas ?? 1);

/** Returns the note for the progress line. */
export async function podsStarted(
  clusters: readonly KubeClient[],
  report: ReportProgress,
  signal: AbortSignal,
): Promise<string> {
  let open = 0;
  const end = Date.now() + patience;
  const one = async (client: KubeClient): Promise<boolean> =>
    poll(
      async () => {
        const { items } = await client.list<Deployment>(`/apis/apps/v1/namespaces/${shop}/deployments`, signal);
        return items.every(isAvailable) ? true : Date.now() > end ? false : undefined;
      },
      { deadline: 2 * patience, signal, late: () => new Error('the shop cannot be listed') },
    );
  const opened = await Promise.all(
    clusters.map(async (client) => {
      const isOpen = await one(client);
      if (isOpen) report(`${++open} of ${clusters.length} shops`);
      return isOpen;
    }),
  );
  const late = opened.filter((isOpen) => !isOpen).length;
  return late === 0 ? 'all are ready' : `${late} of ${clusters.length} shops are not open yet`;
}
