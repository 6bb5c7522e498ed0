/** Builds a request of the pipeline from the flags of `fleet explore`. */

import type { AggregatedStatusItem } from '@fleet/federation/api/bindings.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { HookRequest } from '@fleet/federation/explore/hooks/codec.ts';
import { type Codec, type Operation, operations } from '@fleet/federation/explore/hooks/hook-model.ts';
import { exploreNames, interpretNames } from '@fleet/federation/explore/hooks/operation-names.ts';
import { UsageError } from '../errors.ts';

export interface Asked {
  operation: Operation;
  /** As a review of this kind calls it. */
  codec: Codec;
  name: string;
}

const names: readonly Asked[] = operations.flatMap((operation): Asked[] => {
  const released = new Map<Operation, string>(Object.entries(interpretNames) as [Operation, string][]).get(operation);
  return [
    { operation, codec: 'explore', name: exploreNames[operation] },
    ...(released ? [{ operation, codec: 'interpret', name: released } as const] : []),
  ];
});

/** Both reviews' names, in whatever letters. */
export function askedFor(word: string): Asked {
  const found = names.find(({ name }) => name.toLowerCase() === word.toLowerCase());
  if (found) return found;
  throw new UsageError(`--operation "${word}" is unknown: use ${names.map(({ name }) => name).join(', ')}`);
}

export interface Arguments {
  replicas: number | undefined;
  observed: AnyObject | undefined;
  items: readonly AggregatedStatusItem[] | undefined;
}

/** An argument that the operation does not have is a mistake, too. */
export function requestOf({ operation, name }: Asked, object: AnyObject, given: Arguments): HookRequest {
  const { replicas, observed, items } = given;
  const needed = new Map<Operation, string>([
    ['revising', '--replicas'],
    ['retaining', '--observed'],
    ['aggregating', '--statuses'],
  ]).get(operation);
  const flags = { '--replicas': replicas, '--observed': observed, '--statuses': items };
  for (const [flag, value] of Object.entries(flags)) {
    if (value !== undefined && flag !== needed) throw new UsageError(`${name} has no ${flag}`);
    if (value === undefined && flag === needed) throw new UsageError(`${name} needs ${flag}`);
  }
  switch (operation) {
    case 'revising':
      return { operation, object, replicas: replicas! };
    case 'retaining':
      return { operation, object, observed: observed! };
    case 'aggregating':
      return { operation, object, items: items! };
    default:
      return { operation, object };
  }
}
