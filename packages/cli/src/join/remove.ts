/** Deletes an object and waits until it is deleted. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { poll } from '../poll.ts';

const goneDeadline = 60_000;

interface RemoveOptions {
  uid?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Asked while it waits; returns what it waits for, where that is known. */
  whatHolds?: (() => Promise<string | undefined>) | undefined;
}

/** Deletes an object and waits until it is gone. One that is not there, or is another by now, counts as gone. */
export async function remove(client: KubeClient, path: string, options: RemoveOptions = {}): Promise<void> {
  const { uid, signal, whatHolds } = options;
  try {
    await client.delete(path, { propagationPolicy: 'Background', ...(uid ? { preconditions: { uid } } : {}) }, signal);
  } catch (error) {
    if (isStatus(error, 404) || (uid && isStatus(error, 409))) return;
    throw error;
  }
  let holds: string | undefined;
  const ask = async (): Promise<true | undefined> => {
    const gone = await isGone(client, path, { uid, signal });
    if (!gone) holds = await whatHolds?.();
    return gone;
  };
  const late = () => {
    const why = holds ? `: ${holds}` : '';
    return new Error(`${path} was deleted but is still there after ${goneDeadline / 1000} s${why}`);
  };
  await poll(ask, { deadline: goneDeadline, signal, late });
}

async function isGone(client: KubeClient, path: string, { uid, signal }: RemoveOptions): Promise<true | undefined> {
  try {
    const { metadata } = await client.get<{ metadata: { uid: string } }>(path, signal);
    return uid && metadata.uid !== uid ? true : undefined;
  } catch (error) {
    if (isStatus(error, 404)) return true;
    throw error;
  }
}
