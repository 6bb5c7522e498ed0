/**
 * Two positions of a cluster between which the events are unknown: its member was listed again, and the two lists were compared
 * (WATCH-6). A client whose position is between them may have seen objects that were created before it and deleted after it. No event
 * names these, so the client lists again.
 */

import { isBehind } from './position.ts';

export interface Gap {
  from: string;
  to: string;
}

/** At both ends of the gap the state is known. */
export const isWithin = (position: string, { from, to }: Gap): boolean =>
  isBehind(from, position) && isBehind(position, to);
