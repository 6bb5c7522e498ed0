/** The Table cells of a kind, by column name. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { Cell } from '../../registry/printed-kind.ts';

/** For decoded objects: their fields have the right types. */
export type CellsOf<T> = Record<string, (object: KubeObject & T, now: number) => Cell>;

/** A resource, with all its columns except those that every kind has. */
export type KindCells = readonly [resource: string, cells: CellsOf<object>];

export const cellsOf = <T extends object>(resource: string, cells: CellsOf<T>): KindCells => [
  resource,
  cells as CellsOf<object>,
];

export const none = '<none>';
export const unset = '<unset>';
export const unknown = '<unknown>';

export interface Condition {
  type: string;
  status: string;
  reason?: string;
}

/** The first condition of this type. */
export const conditionOf = (conditions: readonly Condition[] = [], type: string): Condition | undefined =>
  conditions.find((condition) => condition.type === type);

/** The first of the texts, and how many more there are. */
export function someOf(texts: readonly string[], most: number, separator = ','): string {
  const shown = texts.slice(0, most).join(separator);
  return texts.length > most ? `${shown} + ${texts.length - most} more...` : shown;
}
