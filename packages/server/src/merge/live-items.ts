/** Reads the items of a member's list as they arrive, over all its pages. */

import { JsonBytesError } from '@fleet/kube/json-bytes.ts';
import type { Items, ListEnvelope, ListPart } from '@fleet/kube/list-splitter.ts';
import { type Page, patientParts } from './patient-page.ts';
import type { SourceList } from './source.ts';

/** Undefined if enough items were requested. */
type NextPage = (token: string) => Promise<Page> | undefined;

/** Waits for the list's head. The items are left to the caller. */
export async function openList(first: Page, nextPage: NextPage): Promise<SourceList> {
  const parts = patientParts(first);
  const opened = await parts.next();
  if (opened.done || opened.value.is !== 'head') throw new JsonBytesError('a list without a head');
  const head = opened.value.envelope;
  let end = head;
  const finish = (envelope: ListEnvelope) => {
    end = envelope;
  };
  return { is: 'list', head, items: allItems(parts, head, nextPage, finish), end: () => end };
}

/**
 * A later page is requested while the last one is being read, but not before its reader comes back for a second batch: a list that
 * waits for its turn must not hold the beginnings of two pages.
 */
async function* allItems(
  firstParts: AsyncGenerator<ListPart, void, undefined>,
  firstHead: ListEnvelope,
  nextPage: NextPage,
  finish: (end: ListEnvelope) => void,
): AsyncGenerator<Items, void, undefined> {
  let parts = firstParts;
  let head: ListEnvelope | undefined = firstHead;
  for (;;) {
    let next: Promise<Page> | undefined;
    let end: ListEnvelope | undefined;
    for await (const part of parts) {
      if (part.is === 'items') {
        yield part.items;
        next ??= ahead(head, nextPage);
      } else if (part.is === 'head') head = part.envelope;
      else end = part.envelope;
    }
    if (end?.kind === undefined || end.apiVersion === undefined) throw new JsonBytesError('a list without a kind');
    finish(end);
    next ??= ahead(end, nextPage);
    if (!next) return;
    parts = patientParts(await next);
    head = undefined;
  }
}

function ahead(envelope: ListEnvelope | undefined, nextPage: NextPage): Promise<Page> | undefined {
  const token = envelope?.metadata?.continue;
  if (!token) return undefined;
  const page = nextPage(token);
  // Awaited later, or ended by the request's signal. Until then a failure must not count as unhandled.
  page?.catch(() => {});
  return page;
}
