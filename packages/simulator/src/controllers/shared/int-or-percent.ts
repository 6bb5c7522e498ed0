/** Parses numbers that may be a percentage of replicas. */

import type { IntOrPercent } from './objects.ts';

export function scaled(value: IntOrPercent | undefined, total: number, isRoundedUp: boolean): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const percent = Number.parseInt(value, 10);
  if (!value.endsWith('%') || Number.isNaN(percent)) {
    throw new Error(`invalid value for IntOrString: invalid type: string is not a percentage`);
  }
  return isRoundedUp ? Math.ceil((percent * total) / 100) : Math.floor((percent * total) / 100);
}
