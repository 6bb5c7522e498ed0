/** The verbs get, list and watch. */

import { timerMillis } from '@fleet/kube/timer-millis.ts';
import type { List } from '../registry/list.ts';
import { refuseLarger, TooLargeHere } from '../registry/resource-context.ts';
import { decodeObject } from '../registry/stored-object.ts';
import { isAsStored, listReply, objectReply, type RequestedForm, storedReply } from './object-forms.ts';
import { readListQuery } from './read-options.ts';
import type { Verb } from './verb.ts';
import { watchReply } from './watch-reply.ts';

export const get: Verb = async ({ registry }, { ask: { name, namespace }, query, atMost }, requested) => {
  const resourceVersion = query.get('resourceVersion') ?? '';
  const entry = await registry.get(name!, { namespace, resourceVersion });
  if (isAsStored(requested)) return storedReply(entry);
  refuseLarger(entry, { atMost });
  return objectReply(200, decodeObject(entry), requested);
};

export const list: Verb = async ({ printed, registry }, { ask, query, atMost }, requested) => {
  const options = readListQuery(query, printed, false);
  const found = await registry.list({ ...options, namespace: ask.namespace });
  refuseLong(found, requested, atMost);
  return listReply(found, requested);
};

/** Formats other than JSON are encoded from the whole list; for other forms each object is decoded. */
function refuseLong({ entries }: List, { media, form }: RequestedForm, atMost = Number.POSITIVE_INFINITY): void {
  const isWhole = media !== 'application/json';
  if (isWhole && entries.reduce((sum, { value }) => sum + value.length, 0) > atMost) throw new TooLargeHere();
  if (form !== 'object') for (const entry of entries) refuseLarger(entry, { atMost });
}

/** Watches end after 30 to 60 minutes, as in kube-apiserver, so that clients are distributed over servers again. */
const watchMillis = (): number => 1_800_000 * (1 + Math.random());

export const watch: Verb = async ({ printed, registry }, { request, ask, query, writeOnThread }, requested) => {
  const { timeout, fields = [], ...options } = readListQuery(query, printed, true);
  // The old paths below /watch/ contain the name of the object.
  const named = ask.name === undefined ? [] : [{ field: 'metadata.name', value: ask.name, equal: true }];
  const end = AbortSignal.timeout(timerMillis(timeout || watchMillis()));
  const signal = AbortSignal.any([request.signal, end]);
  return watchReply(
    registry.watch({ ...options, fields: [...fields, ...named], namespace: ask.namespace, signal }),
    requested,
    writeOnThread,
  );
};
