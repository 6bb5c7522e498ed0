/** Writes the query of one request to a member for a page of a list. */

import type { ListedAt, MemberQuery } from './list-query.ts';

/** This many items, from the beginning or from the member's continue token. */
export function pageQuery({ selection, at }: MemberQuery, size: number, continueToken?: string): string {
  return joined(selection.text, `limit=${size}`, wordsFor(continueToken ? { is: 'after', token: continueToken } : at));
}

/** The first page again, at the same version. */
export function firstPageAgain(query: MemberQuery, version: string, size: number): string {
  // A token contains its version.
  return pageQuery(query.at.is === 'after' ? query : { ...query, at: { is: 'exact', version } }, size);
}

const joined = (...pairs: string[]): string => pairs.filter((pair) => pair !== '').join('&');

function wordsFor(at: ListedAt): string {
  switch (at.is) {
    // A member's own cache may be older than what this client was last sent, so a consistent read is requested.
    case 'any':
    case 'latest':
      return '';
    case 'after':
      return `continue=${encodeURIComponent(at.token)}`;
    default: {
      const match = at.is === 'exact' ? 'Exact' : 'NotOlderThan';
      return `resourceVersion=${encodeURIComponent(at.version)}&resourceVersionMatch=${match}`;
    }
  }
}
