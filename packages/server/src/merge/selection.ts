/** The part of a query that selects objects and their form: the same for lists and watches, of one place or many. */

import { keyOf } from '../target/query.ts';

export interface Selection {
  /** As a query for members, exactly as the client wrote it. */
  text: string;
  /** As the client wrote them; empty if it did not. */
  labelSelector: string;
  fieldSelector: string;
  /** How much of their objects the rows of a Table contain. */
  includeObject: string | undefined;
}

/** `ours`: parameters that are not sent to members unchanged. */
export function readSelection(query: string, ours: ReadonlySet<string>): Selection {
  const text = withoutKeys(query, ours);
  const parameters = new URLSearchParams(text);
  return {
    text,
    labelSelector: parameters.get('labelSelector') ?? '',
    fieldSelector: parameters.get('fieldSelector') ?? '',
    includeObject: parameters.get('includeObject') ?? undefined,
  };
}

const includeObject = new Set(['includeObject']);

/** Rows with their metadata, which is the default. */
export const withMetadata = (selection: Selection): Selection =>
  selection.includeObject === 'None'
    ? { ...selection, text: withoutKeys(selection.text, includeObject), includeObject: undefined }
    : selection;

const withoutKeys = (query: string, keys: ReadonlySet<string>): string =>
  query
    .split('&')
    .filter((pair) => pair !== '' && !keys.has(keyOf(pair)))
    .join('&');
