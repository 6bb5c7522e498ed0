/**
 * Deletes what a list found. Some at a time: the store commits them together, and what others do about one that goes is not in the
 * way of the next.
 */

import { Pace } from '@fleet/client/pace.ts';
import type { Entry } from '../store/object-store.ts';
import { type DeleteOptions, deleteObject } from './delete.ts';
import { outlineInSlices } from './outline.ts';
import type { ResourceContext } from './resource-context.ts';

const atOnce = 32;
/** In bytes. Larger ones go one by one: writing them takes its time (LIMIT-3). */
const small = 16 * 1024;

/** Those that go meanwhile by another hand are no error, and what comes under their names stays. */
export async function deleteListed(
  context: ResourceContext,
  entries: readonly Entry[],
  options: DeleteOptions,
): Promise<void> {
  const { true: large = [], false: others = [] } = Object.groupBy(entries, ({ value }) => `${value.length > small}`);
  await deleteEach(context, others, options, atOnce);
  await deleteEach(context, large, options, 1);
}

/** What fails is thrown once nothing is under way any more. */
async function deleteEach(
  context: ResourceContext,
  entries: readonly Entry[],
  options: DeleteOptions,
  workers: number,
): Promise<void> {
  const pace = new Pace();
  const waiting = [...entries].reverse();
  const worker = async (): Promise<void> => {
    for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
      if (pace.isDue) await pace.rest();
      await deleteOne(context, entry, options).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: Math.min(workers, entries.length) }, worker));
  for (const result of settled) if (result.status === 'rejected') throw result.reason;
}

async function deleteOne(context: ResourceContext, { value }: Entry, options: DeleteOptions): Promise<void> {
  const { name, namespace, uid } = (await outlineInSlices(value)).object.metadata;
  const preconditions = options.preconditions ?? (uid === undefined ? undefined : { uid });
  await deleteObject(context, name!, { ...options, namespace, preconditions }).catch((error: { code?: number }) => {
    const isReplaced = error.code === 409 && !options.preconditions;
    if (error.code !== 404 && !isReplaced) throw error;
  });
}
