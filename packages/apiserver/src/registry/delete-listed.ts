/**
 * Deletes listed objects, several at a time: the store commits them together, and the reactions of controllers to one deletion
 * do not delay the next.
 */

import { Pace } from '@fleet/client/pace.ts';
import type { Entry } from '../store/object-store.ts';
import { type DeleteOptions, deleteObject } from './delete.ts';
import { outlineInSlices } from './outline.ts';
import type { ResourceContext } from './resource-context.ts';

const atOnce = 32;
/** In bytes. Larger objects are deleted one by one, as each takes long (LIMIT-3). */
const small = 16 * 1024;

/** Objects that are deleted concurrently are not an error, and new objects with their names are kept. */
export async function deleteListed(
  context: ResourceContext,
  entries: readonly Entry[],
  options: DeleteOptions,
): Promise<void> {
  const { true: large = [], false: others = [] } = Object.groupBy(entries, ({ value }) => `${value.length > small}`);
  await deleteEach(context, others, options, atOnce);
  await deleteEach(context, large, options, 1);
}

/** An error is thrown once no write is in progress any more. */
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
