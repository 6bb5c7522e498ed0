/**
 * Two positions of a cluster between which it is not known what happened: its member was listed anew, and the lists were compared
 * (WATCH-6). A client whose position is between them may have seen objects that were created before it and deleted after it. No event
 * names these, so the client lists again.
 */

import { isBehind } from './position.ts';

export interface Gap {
  from: string;
  to: string;
}

/** What happened up to either end is known. */
export const isWithin = (position: string, { from, to }: Gap): boolean =>
  isBehind(from, position) && isBehind(position, to);
