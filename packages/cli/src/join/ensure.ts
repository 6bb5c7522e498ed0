/** Creates an object, or repairs the one that exists and was made by fleet. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { HintedError } from '../errors.ts';
import { isManaged } from '../labels.ts';
import { poll } from '../poll.ts';
import type { Journal } from './journal.ts';
import { type Desired, type Manifest, pathOf, title } from './manifest.ts';
import { remove } from './remove.ts';

export interface Ensured {
  outcome: 'made' | 'changed' | 'repaired' | 'kept';
  object: Manifest;
}

interface EnsureOptions {
  client: KubeClient;
  journal: Journal;
  signal: AbortSignal;
  /** The field that the user chose: another value is a change, not a repair, and an undo restores it. */
  chosen?: 'rules';
}

/**
 * Makes what is missing, puts right what differs, leaves the rest alone.
 * Only what was made, and a field that the user chose, is put into the journal: the rest was there before this run.
 */
export async function ensure(desired: Desired, options: EnsureOptions): Promise<Ensured> {
  const found = await find(desired, options);
  if (!found) return make(desired, options);
  if (!isManaged(found)) {
    throw new HintedError(
      `${title(desired)} is there already and was not made by fleet`,
      'Rename or remove it if nothing needs it',
    );
  }
  if (covers(found, desired.object)) return { outcome: 'kept', object: found };
  return change(found, desired, options);
}

async function change(found: Manifest, desired: Desired, options: EnsureOptions): Promise<Ensured> {
  const { client, journal, signal, chosen } = options;
  const isChoice = chosen !== undefined && !covers(found[chosen], desired.object[chosen]);
  const remember = () => {
    if (!isChoice) return;
    const before = { [chosen]: found[chosen] ?? null };
    journal.made(client, `${title(desired)} with new ${chosen}`, async (until) => {
      await client.patch(pathOf(desired), 'merge', before, until).catch((error: unknown) => {
        // Removed meanwhile: nothing is left to restore.
        if (!isStatus(error, 404)) throw error;
      });
    });
  };
  try {
    const object = await client.patch<Manifest>(pathOf(desired), 'merge', desired.object, signal);
    remember();
    return { outcome: isChoice ? 'changed' : 'repaired', object };
  } catch (error) {
    // No answer: it may have been changed all the same.
    if (!(error instanceof StatusError)) remember();
    throw error;
  }
}

/** The object, once it is not on its way out: an earlier unjoin may have just deleted it. */
async function find(desired: Desired, { client, signal }: EnsureOptions): Promise<Manifest | undefined> {
  const found = await poll(
    async () => {
      const object = await get(client, pathOf(desired), signal);
      return object?.metadata.deletionTimestamp ? undefined : { object };
    },
    { deadline: 30_000, signal, late: () => new Error(`${title(desired)} is being deleted, and that takes long`) },
  );
  return found.object;
}

async function make(desired: Desired, { client, journal, signal }: EnsureOptions): Promise<Ensured> {
  try {
    const object = await client.create<Manifest>(desired.collection, desired.object, signal);
    const { uid } = object.metadata;
    journal.made(client, title(desired), (until) => remove(client, pathOf(desired), { uid, signal: until }));
    return { outcome: 'made', object };
  } catch (error) {
    // No answer: it may have been made all the same, and it was not there a moment ago.
    if (!(error instanceof StatusError)) {
      journal.made(client, title(desired), (until) => remove(client, pathOf(desired), { signal: until }));
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

/** Whether all that is desired is there: servers add fields of their own, but do not lengthen lists. */
export function covers(found: unknown, desired: unknown): boolean {
  if (Array.isArray(desired)) {
    return (
      Array.isArray(found) && found.length === desired.length && desired.every((item, i) => covers(found[i], item))
    );
  }
  if (typeof desired === 'object' && desired !== null) {
    const there = found as Record<string, unknown> | undefined | null;
    return Object.entries(desired).every(([key, value]) => covers(there?.[key], value));
  }
  return found === desired;
}

/** As in `2 made, 1 kept`. */
export function summary(outcomes: readonly Ensured[]): string {
  const count = (desired: Ensured['outcome']) => outcomes.filter(({ outcome }) => outcome === desired).length;
  const parts = (['made', 'changed', 'repaired', 'kept'] as const).map((outcome) => ({ outcome, n: count(outcome) }));
  return parts.flatMap(({ outcome, n }) => (n > 0 ? [`${n} ${outcome}`] : [])).join(', ');
}
