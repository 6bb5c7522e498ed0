/** What of a query selects objects and shapes how they are shown: the same for lists and watches, of one place or many. */

import { keyOf } from '../target/query.ts';

export interface Selection {
  /** In the client's own words, as a query: what members are asked for. */
  text: string;
  /** As the client wrote them; empty where it did not. */
  labelSelector: string;
  fieldSelector: string;
  /** How much of their objects the rows of a Table bring. */
  includeObject: string | undefined;
}

/** `ours`: what is between the client and us, or said anew to each member. */
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

/** Rows bring their metadata, as they do where nothing is said of it. */
export const withMetadata = (selection: Selection): Selection =>
  selection.includeObject === 'None'
    ? { ...selection, text: withoutKeys(selection.text, includeObject), includeObject: undefined }
    : selection;

const withoutKeys = (query: string, keys: ReadonlySet<string>): string =>
  query
    .split('&')
    .filter((pair) => pair !== '' && !keys.has(keyOf(pair)))
    .join('&');
