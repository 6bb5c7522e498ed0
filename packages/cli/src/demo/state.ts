/** The state of a kept demo. It is written after each step, so that a demo that was killed resumes there. */

import { UsageError } from '../errors.ts';

export interface DemoState {
  clusters: number;
  seed: number;
  /** Where the fleet listened the last time. */
  listen?: string;
  /** How many pods there are to be beside the shops'. */
  pods: number;
  /** So many of them have been made; some may have been deleted since. */
  filled: number;
  /** So many clusters, from the first one on, were given their shop. What became of it since is for its users to decide. */
  opened: number;
  /** So many clusters, from the first one on, were joined. */
  joined: number;
  /** Whether it propagates a template; decided when it is made. */
  federation?: boolean;
}

export interface Asked {
  clusters: number | undefined;
  pods: number | undefined;
  seed: number | undefined;
  listen: string | undefined;
  federation: boolean;
}

/** The tour is about the first three. */
export const leastClusters = 3;
const anyPort = '127.0.0.1:0';

export interface DemoSize {
  clusters: number;
  seed: number;
  listen: string;
  /** What `--pods` is kept as. */
  pods: number;
  /** How many there must be after this start; those that a user deleted come back only if they are asked for. */
  podsNow: number;
  federation: boolean;
}

/** A kept demo only grows: a member that was joined is started again. */
export function sizeOf(asked: Asked, kept: DemoState | undefined): DemoSize {
  if (kept && asked.federation && !kept.federation)
    throw new UsageError('--federation: the demo in this folder was made without it. Give --keep another folder');
  const pods = Math.max(asked.pods ?? 0, kept?.pods ?? 0);
  const isUnfinished = kept !== undefined && kept.filled < kept.pods;
  return {
    clusters: Math.max(asked.clusters ?? leastClusters, kept?.clusters ?? 0),
    seed: kept?.seed ?? asked.seed ?? 1,
    listen: asked.listen ?? kept?.listen ?? anyPort,
    pods,
    podsNow: isUnfinished ? pods : (asked.pods ?? 0),
    federation: kept ? (kept.federation ?? false) : asked.federation,
  };
}

/** The address that was asked for, with the port that it became: another host would be one that clients do not reach. */
export function listenedOn(asked: string, url: string): string {
  return asked.endsWith(':0') ? `${asked.slice(0, -1)}${new URL(url).port}` : asked;
}
