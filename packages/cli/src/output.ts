/** Reads the formats of `-o`, and prints objects in them. */

import { stringify } from 'yaml';
import { UsageError } from './errors.ts';

export const printJson = (value: unknown): string => `${JSON.stringify(value, null, 4)}\n`;

/** YAML 1.1 as kubectl writes it, where dates and words like `yes` need quotes. */
export const printYaml = (value: unknown): string => stringify(value, { lineWidth: 0, version: '1.1' });

/** The format of `-o`, or an error that lists the formats there are, and `others` that the caller reads itself. */
export function formatOf<T extends string>(
  asked: string | undefined,
  formats: readonly T[],
  others: readonly string[] = [],
): T | undefined {
  if (asked === undefined) return undefined;
  const format = formats.find((known) => known === asked);
  if (format === undefined) {
    throw new UsageError(`unknown output format "${asked}": use ${[...formats, ...others].join(', ')}`);
  }
  return format;
}
