/** Warns about amounts of bytes that are not integers. */

import { formatQuantity, parseQuantity } from '@fleet/kube/quantity.ts';
import { quoted } from '../../errors/quoted.ts';
import type { ClaimSpec, ResourceList } from './pod-spec.ts';
import { isWhole } from './resource-list.ts';

export const fractionWarnings = (
  list: ResourceList | undefined,
  at: string,
  names: readonly string[] = ['memory', 'ephemeral-storage'],
): string[] =>
  names.flatMap((name) => {
    const amount = list?.[name] ?? '0';
    const shown = () => quoted(formatQuantity(parseQuantity(amount)));
    return isWhole(amount) ? [] : [`${at}[${name}]: fractional byte value ${shown()} is invalid, must be an integer`];
  });

export const claimSpecWarnings = ({ resources }: ClaimSpec, at: string): string[] =>
  (['requests', 'limits'] as const).flatMap((field) =>
    fractionWarnings(resources?.[field], `${at}.resources.${field}`, ['storage']),
  );
