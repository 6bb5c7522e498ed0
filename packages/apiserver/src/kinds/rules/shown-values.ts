/** Formats values for errors as Go's JSON does: with sorted keys of maps. */

import type { SelectorObject } from '../../selectors/selector-object.ts';

export const sortedMap = (map: Readonly<Record<string, string>> | undefined): Record<string, string> | null =>
  map ? Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1))) : null;

export const shownSelector = (selector: SelectorObject | null | undefined): object | null =>
  selector?.matchLabels ? { ...selector, matchLabels: sortedMap(selector.matchLabels) } : (selector ?? null);
