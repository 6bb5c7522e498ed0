/** Reads what has happened behind a state, as a watch with a selection sees it. */

import { ChunkWriter } from './chunk-writer.ts';
import type { ChangeType } from './feed-writer.ts';
import type { HistoryEntry } from './history.ts';
import type { ItemForms, TypeMeta } from './item-forms.ts';
import type { Events, EventsAsk } from './messages.ts';
import type { ObjectFilter } from './object-filter.ts';
import type { ResourceTable } from './resource-table.ts';
import { none, type StoredObjects } from './stored-objects.ts';
import { type Clock, TimeSlice } from './time-slice.ts';

/** In milliseconds: what is left is read with the next answer. */
const longestRead = 5;
const writeCost = 8;

interface Shown {
  type: ChangeType;
  id: number;
  /** Shown instead of the object's own. */
  version?: string;
}

/** `ask.after` is a state that the history knows. `isOther`: it ends in front of what is not showable in this form. */
export function readEvents(
  table: ResourceTable,
  objects: StoredObjects,
  ask: EventsAsk,
  filter: ObjectFilter | undefined,
  forms: ItemForms,
  typeMeta: TypeMeta,
  clock: Clock,
  isShowable: (id: number) => boolean,
): Events & { isOther: boolean } {
  const { history } = table;
  const to = new ChunkWriter(Math.max(ask.bytes, 1));
  const types: ChangeType[] = [];
  const versions: string[] = [];
  const selects = selectionOf(objects, ask.within, filter);
  const start = history.indexAfter(ask.after);
  const isDifference = history.entry(start)?.differenceFrom !== undefined;
  let index = start + (ask.skip ?? 0);
  const slice = new TimeSlice(clock, longestRead);
  let [isTimeUp, isOther] = [false, false];
  for (let entry = history.entry(index); entry; entry = history.entry(++index)) {
    const { differenceFrom, seq } = entry;
    const isNext = isDifference ? seq !== history.entry(start)!.seq : differenceFrom !== undefined;
    if (isNext || to.isFull || isTimeUp) break;
    const shown = shownOf(entry, objects, selects);
    isOther = shown !== undefined && !isShowable(shown.id);
    if (isOther) break;
    isTimeUp = slice.isUpAfter(2 * (filter?.costOf(entry.after) ?? 1) + (shown ? writeCost : 0));
    if (!shown) continue;
    forms.write(to, shown.id, ask.form, typeMeta, shown.version);
    types.push(shown.type);
    versions.push(shown.version ?? objects.version(shown.id));
  }
  const standsAt = standing(table, ask, isDifference, start, index);
  return { is: 'events', ...to.finish(), types, versions, ...standsAt, isOther };
}

/** Where the reader stands: behind the last entry that was read. */
function standing(table: ResourceTable, ask: EventsAsk, isDifference: boolean, start: number, index: number) {
  const { history } = table;
  const next = history.entry(index);
  const last = history.entry(index - 1);
  if (isDifference && next && last && next.seq === last.seq) {
    return { seq: ask.after, skip: index - start, position: last.differenceFrom!, resumable: false };
  }
  const seq = index > start ? last!.seq : ask.after;
  // Behind the newest event bookmarks may have moved the position.
  const position = next ? (history.positionOf(seq) ?? ask.position ?? '') : table.position;
  return { seq, skip: 0, position, resumable: !isDifference };
}

function selectionOf(
  objects: StoredObjects,
  within: string | undefined,
  filter: ObjectFilter | undefined,
): (id: number) => boolean {
  if (within === undefined) return (id) => !filter || filter.matches(id);
  const prefix = Buffer.from(`${within}/`);
  return (id) => {
    const at = objects.get(id, 'offset');
    const isWithin =
      objects.get(id, 'keyLength') > prefix.length &&
      objects.segmentOf(id).compare(prefix, 0, prefix.length, at, at + prefix.length) === 0;
    return isWithin && (!filter || filter.matches(id));
  };
}

/** By what was before and what is after, as kube-apiserver does; undefined where neither is selected. */
function shownOf(
  { type, before, after, position, differenceFrom }: HistoryEntry,
  objects: StoredObjects,
  selects: (id: number) => boolean,
): Shown | undefined {
  const was = before !== none && selects(before);
  if (type === 'DELETED' && !was) return undefined;
  // There was no memory for the object that the event had: it is shown as it was, with the version of the event.
  if (type === 'DELETED' && after === before && differenceFrom === undefined)
    return { type, id: after, version: position };
  if (type === 'DELETED') return { type, id: after };
  const is = selects(after);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', id: after };
  if (!was) return undefined;
  // It left the selection: the object as it was, with the version of the event.
  const version = objects.version(after) || position;
  return { type: 'DELETED', id: before, version };
}
