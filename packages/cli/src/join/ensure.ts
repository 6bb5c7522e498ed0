import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { HintedError } from '../errors.ts';
import { isManaged } from '../labels.ts';
import { poll } from '../poll.ts';
import type { Journal } from './journal.ts';
import { type Manifest, pathOf, title, type Wanted } from './manifest.ts';
import { remove } from './remove.ts';

export interface Ensured {
  outcome: 'made' | 'repaired' | 'kept';
  object: Manifest;
}

interface EnsureOptions {
  client: KubeClient;
  journal: Journal;
  signal: AbortSignal;
}

/**
 * Makes what is missing, puts right what differs, leaves the rest alone.
 * Only what was made is put into the journal: the rest was there before this run.
 */
export async function ensure(wanted: Wanted, options: EnsureOptions): Promise<Ensured> {
  const { client, signal } = options;
  const found = await find(wanted, options);
  if (!found) return make(wanted, options);
  if (!isManaged(found)) {
    throw new HintedError(
      `${title(wanted)} is there already and was not made by fleet`,
      'Rename or remove it if nothing needs it',
    );
  }
  if (covers(found, wanted.object)) return { outcome: 'kept', object: found };
  const object = await client.patch<Manifest>(pathOf(wanted), 'merge', wanted.object, signal);
  return { outcome: 'repaired', object };
}

/** The object, once it is not on its way out: an earlier unjoin may have just deleted it. */
async function find(wanted: Wanted, { client, signal }: EnsureOptions): Promise<Manifest | undefined> {
  const found = await poll(
    async () => {
      const object = await get(client, pathOf(wanted), signal);
      return object?.metadata.deletionTimestamp ? undefined : { object };
    },
    { deadline: 30_000, signal, late: () => new Error(`${title(wanted)} is being deleted, and that takes long`) },
  );
  return found.object;
}

async function make(wanted: Wanted, { client, journal, signal }: EnsureOptions): Promise<Ensured> {
  try {
    const object = await client.create<Manifest>(wanted.collection, wanted.object, signal);
    const { uid } = object.metadata;
    journal.made(client, title(wanted), (until) => remove(client, pathOf(wanted), { uid, signal: until }));
    return { outcome: 'made', object };
  } catch (error) {
    // No answer: it may have been made all the same, and it was not there a moment ago.
    if (!(error instanceof StatusError)) {
      journal.made(client, title(wanted), (until) => remove(client, pathOf(wanted), { signal: until }));
    }
    throw error;
  }
}

export async function get(client: KubeClient, path: string, signal?: AbortSignal): Promise<Manifest | undefined> {
  try {
    return await client.get<Manifest>(path, signal);
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

/** Whether all that is wanted is there: servers add fields of their own, but do not lengthen lists. */
export function covers(found: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(found) && found.length === wanted.length && wanted.every((item, i) => covers(found[i], item));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    const there = found as Record<string, unknown> | undefined | null;
    return Object.entries(wanted).every(([key, value]) => covers(there?.[key], value));
  }
  return found === wanted;
}
