/** The cells of a kind's Tables, by the names of its columns. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { Cell } from '../../registry/printed-kind.ts';

/** Of objects that have been decoded: what is there has the type that it should have. */
export type CellsOf<T> = Record<string, (object: KubeObject & T, now: number) => Cell>;

/** A kind's name, all its columns but those that every kind has. */
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

/** The status of the first condition of this type. */
export const conditionOf = (conditions: readonly Condition[] = [], type: string): Condition | undefined =>
  conditions.find((condition) => condition.type === type);

/** Some of them, and how many more there are. */
export function someOf(texts: readonly string[], most: number, separator = ','): string {
  const shown = texts.slice(0, most).join(separator);
  return texts.length > most ? `${shown} + ${texts.length - most} more...` : shown;
}
