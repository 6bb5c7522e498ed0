/** The query of one request to a member for a page of a list, as Kubernetes writes it. */

import type { ListedAt, MemberQuery } from './list-query.ts';

/** So many items, from where the list begins or from where the member's continue token leads. */
export function pageQuery({ selection, at }: MemberQuery, size: number, continueToken?: string): string {
  return joined(selection.text, `limit=${size}`, wordsFor(continueToken ? { is: 'after', token: continueToken } : at));
}

/** The first page again, just as it was. */
export function firstPageAgain(query: MemberQuery, version: string, size: number): string {
  // A token says which version it is of.
  return pageQuery(query.at.is === 'after' ? query : { ...query, at: { is: 'exact', version } }, size);
}

const joined = (...pairs: string[]): string => pairs.filter((pair) => pair !== '').join('&');

function wordsFor(at: ListedAt): string {
  switch (at.is) {
    // A member's own cache may be older than what this client was shown last: it is asked for all that was written.
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
