/** Reads the events after a state, as a watch with these selectors sees them. */

import { ChunkWriter } from './chunk-writer.ts';
import type { ChangeType } from './feed-writer.ts';
import type { HistoryEntry } from './history.ts';
import type { ItemForms, TypeMeta } from './item-forms.ts';
import type { Events, EventsAsk } from './messages.ts';
import type { ObjectFilter } from './object-filter.ts';
import type { ResourceTable } from './resource-table.ts';
import { none, type StoredObjects } from './stored-objects.ts';
import { type Clock, TimeSlice } from './time-slice.ts';

/** In milliseconds. The rest is read with the next answer. */
const longestRead = 5;

interface Shown {
  type: ChangeType;
  id: number;
  /** Replaces the object's own resource version. */
  version?: string;
}

/** `ask.after` must be a state that the history has. `isOther`: reading stopped at an event that is not showable in this form. */
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
  const differenceFrom = history.entry(start)?.differenceFrom;
  const isDifference = differenceFrom !== undefined;
  let index = start + (ask.skip ?? 0);
  const slice = TimeSlice.of(clock, longestRead);
  let [isTimeUp, isOther] = [false, false];
  for (let entry = history.entry(index); entry; entry = history.entry(++index)) {
    const isNext = isDifference ? entry.seq !== history.entry(start)!.seq : entry.differenceFrom !== undefined;
    if (isNext || to.isFull || isTimeUp) break;
    const shown = shownOf(entry, objects, selects);
    isOther = shown !== undefined && !isShowable(shown.id);
    if (isOther) break;
    const cost = shown ? forms.write(to, shown.id, ask.form, typeMeta, shown.version) : 0;
    isTimeUp = slice.isUpAfter(cost + checkCost(entry, filter));
    if (!shown) continue;
    types.push(shown.type);
    versions.push(shown.version ?? objects.version(shown.id));
  }
  const reached = reachedState(table, ask, isDifference, start, index);
  const unknown = isDifference
    ? { from: differenceFrom, to: reached.leadsTo }
    : history.skippedWithin(ask.position ?? history.positionOf(ask.after), reached.position);
  return { is: 'events', ...to.finish(), types, versions, ...reached, ...(unknown ? { unknown } : {}), isOther };
}

/** Both records are matched. */
function checkCost({ before, after }: HistoryEntry, filter: ObjectFilter | undefined): number {
  if (!filter) return 1;
  return filter.costOf(after) + (before === none ? 0 : filter.costOf(before));
}

/** The state after the last entry that was read. */
function reachedState(table: ResourceTable, ask: EventsAsk, isDifference: boolean, start: number, index: number) {
  const { history } = table;
  const next = history.entry(index);
  const last = history.entry(index - 1);
  if (isDifference && next && last && next.seq === last.seq) {
    const { position: leadsTo, differenceFrom } = last;
    return { seq: ask.after, skip: index - start, position: differenceFrom!, leadsTo, resumable: false };
  }
  const resumable = !isDifference;
  // After the newest event, bookmarks may have moved the position further, and new columns the state.
  if (!next) return { seq: table.seq, skip: 0, position: table.position, leadsTo: table.position, resumable };
  const seq = index > start ? last!.seq : ask.after;
  const position = history.positionOf(seq) ?? ask.position ?? '';
  return { seq, skip: 0, position, leadsTo: position, resumable };
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

/** The event type depends on whether the object matched before and matches after, as in kube-apiserver. Undefined if neither. */
function shownOf(
  { type, before, after, position, differenceFrom }: HistoryEntry,
  objects: StoredObjects,
  selects: (id: number) => boolean,
): Shown | undefined {
  const was = before !== none && selects(before);
  if (type === 'DELETED' && !was) return undefined;
  // The object of the event did not fit into memory: show the last known one, with the version of the event.
  if (type === 'DELETED' && after === before && differenceFrom === undefined)
    return { type, id: after, version: position };
  if (type === 'DELETED') return { type, id: after };
  const is = selects(after);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', id: after };
  if (!was) return undefined;
  // It no longer matches: show the object as it was, with the version of the event, as kube-apiserver does.
  const version = objects.version(after) || position;
  return { type: 'DELETED', id: before, version };
}
