/** Which states of a feed can be read, and in which forms. */

import type { Feed } from './feed.ts';
import type { TypeMeta } from './item-forms.ts';
import { noColumns } from './item-reader.ts';
import type { Events, ItemForm, Unanswerable } from './messages.ts';
import type { ResourceTable } from './resource-table.ts';
import type { StoredObjects } from './stored-objects.ts';

/** The table of a feed that answers reads: filled, and its cluster not removed. */
export const answering = (feed: Feed | undefined): ResourceTable | undefined =>
  feed?.isLeaving ? undefined : feed?.table;

export const typeMetaOf = ({ spec: { kind, group, version, typeMetaInLists }, times }: Feed): TypeMeta => ({
  kind,
  apiVersion: group ? `${group}/${version}` : version,
  inLists: typeMetaInLists,
  times: times.now(),
});

/** The most events that are undone to read an earlier state. It is done in one step, which must not take long (LIMIT-3). */
const mostUndone = 5_000;

/** The position of a state. Undefined if the history has no such state, or too many events since: the member may know it. */
export function positionAt({ seq: newest, position, history }: ResourceTable, seq: number): string | undefined {
  if (seq === newest) return position;
  if (seq < history.floor || seq > newest) return undefined;
  return history.length - history.indexAfter(seq) > mostUndone ? undefined : history.positionOf(seq);
}

export const columnsOf = ({ reader }: Feed, { as }: ItemForm) =>
  as === 'Table' && reader.columns ? { columns: reader.columns } : {};

const otherColumns: Unanswerable = { is: 'no-table', reason: 'its columns have changed' };

/** One Table has one set of columns: a state that has rows of earlier columns cannot be shown. */
export function refusedForm(feed: Feed, form: ItemForm, seq: number): Unanswerable | undefined {
  const { reader, table } = feed;
  const isOther = table!.columns !== reader.columnsId || seq < table!.columnsSince;
  return refusedEvents(feed, form) ?? (form.as === 'Table' && isOther ? otherColumns : undefined);
}

/** As `refusedForm`, for events. Their rows are checked one by one, so events after a change of columns can be shown. */
export function refusedEvents({ reader, table, times }: Feed, { as }: ItemForm): Unanswerable | undefined {
  if (as !== 'Table') return undefined;
  if (!reader.columns || table!.columns === noColumns) return { is: 'no-table', reason: 'the member has no Tables' };
  const { refused } = times;
  return refused === undefined
    ? undefined
    : { is: 'no-table', reason: `the cache cannot update the times in column ${refused}` };
}

/** Whether an event's row can be shown under the newest columns. */
export const showsRow =
  ({ reader }: Feed, { as }: ItemForm, objects: StoredObjects) =>
  (id: number): boolean =>
    as !== 'Table' || objects.get(id, 'columns') === reader.columnsId;

/** The events that were read; a refusal if the very first row has other columns. */
export const eventsOrRefusal = (events: Events & { isOther: boolean }): Events | Unanswerable => {
  const { isOther, ...answer } = events;
  return isOther && answer.types.length === 0 ? otherColumns : answer;
};
