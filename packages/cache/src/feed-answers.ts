/** What a feed can answer of a state, and in which forms. */

import type { Feed } from './feed.ts';
import type { TypeMeta } from './item-forms.ts';
import { noColumns } from './item-reader.ts';
import type { Events, ItemForm, Unanswerable } from './messages.ts';
import type { ResourceTable } from './resource-table.ts';
import type { StoredObjects } from './stored-objects.ts';

/** Of a feed that answers reads. */
export const answering = (feed: Feed | undefined): ResourceTable | undefined =>
  feed?.isLeaving ? undefined : feed?.table;

export const shownOf = ({ spec: { kind, group, version, typeMetaInLists }, times }: Feed): TypeMeta => ({
  kind,
  apiVersion: group ? `${group}/${version}` : version,
  inLists: typeMetaInLists,
  times: times.now(),
});

/** What has to be undone to read an earlier state, at most: that takes milliseconds at once (LIMIT-3). */
const mostUndone = 5_000;

/** Undefined if that state is not known, or too long ago: the member may know it. */
export function positionAt({ seq: newest, position, history }: ResourceTable, seq: number): string | undefined {
  if (seq === newest) return position;
  if (seq < history.floor || seq > newest) return undefined;
  return history.length - history.indexAfter(seq) > mostUndone ? undefined : history.positionOf(seq);
}

export const columnsOf = ({ reader }: Feed, { as }: ItemForm) =>
  as === 'Table' && reader.columns ? { columns: reader.columns } : {};

const otherColumns: Unanswerable = { is: 'no-table', reason: 'its columns have changed' };

/** Rows of other columns than the newest cannot be shown beside those. */
export function refusedForm(feed: Feed, form: ItemForm, seq: number): Unanswerable | undefined {
  const { reader, table } = feed;
  const isOther = table!.columns !== reader.columnsId || seq < table!.columnsSince;
  return refusedEvents(feed, form) ?? (form.as === 'Table' && isOther ? otherColumns : undefined);
}

/** Of events, whose rows are looked at one by one: what changed behind new columns is in these. */
export function refusedEvents({ reader, table, times }: Feed, { as }: ItemForm): Unanswerable | undefined {
  if (as !== 'Table') return undefined;
  if (!reader.columns || table!.columns === noColumns) return { is: 'no-table', reason: 'the member has no Tables' };
  const { refused } = times;
  return refused === undefined ? undefined : { is: 'no-table', reason: `the times in ${refused} are the member's` };
}

/** Whether an event's row can be shown under the newest columns. */
export const showsRow =
  ({ reader }: Feed, { as }: ItemForm, objects: StoredObjects) =>
  (id: number): boolean =>
    as !== 'Table' || objects.get(id, 'columns') === reader.columnsId;

/** What was read, or that the first row is of other columns. */
export const eventsOrRefusal = (events: Events & { isOther: boolean }): Events | Unanswerable => {
  const { isOther, ...answer } = events;
  return isOther && answer.types.length === 0 ? otherColumns : answer;
};
