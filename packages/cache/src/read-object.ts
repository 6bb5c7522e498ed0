/** Looks up one named object in the newest state: whether it is there, or the object in the requested form. */

import { ChunkWriter } from './chunk-writer.ts';
import type { Feed } from './feed.ts';
import { answering, columnsOf, refusedForm, typeMetaOf } from './feed-answers.ts';
import type { ItemForms } from './item-forms.ts';
import type { GetAnswer, GetAsk, HasAnswer, HasAsk } from './messages.ts';
import { none, type StoredObjects } from './stored-objects.ts';

export function readObject(
  feed: Feed | undefined,
  objects: StoredObjects,
  { key, form, endsLine = false }: GetAsk,
  forms: ItemForms,
): GetAnswer {
  const table = answering(feed);
  if (!feed || !table) return { is: 'gone' };
  const { seq, position, keys } = table;
  const refused = refusedForm(feed, form, seq);
  if (refused) return refused;
  const found = keys.find(Buffer.from(key));
  if (found === none) return { is: 'absent', seq, position };
  const to = new ChunkWriter(sizeOf(objects, found));
  forms.write(to, found, form, typeMetaOf(feed));
  if (endsLine) to.text('\n');
  const shown = { version: objects.version(found), uid: objects.uid(found), ...columnsOf(feed, form) };
  return { is: 'item', seq, position, bytes: to.finish().chunk, ...shown };
}

/** In bytes, for a kind, an apiVersion and a line feed. */
const roundTheObject = 512;

/** Enough for the whole object: memory that grew would be copied, and more of it left to the collector. */
const sizeOf = (objects: StoredObjects, id: number): number =>
  objects.get(id, 'objectLength') + (objects.managedFields(id)?.length ?? 0) + roundTheObject;

export function hasObject(feed: Feed | undefined, { key }: HasAsk): HasAnswer {
  const table = answering(feed);
  if (!table) return { is: 'gone' };
  return { is: table.keys.find(Buffer.from(key)) === none ? 'absent' : 'there' };
}
