/**
 * Division by static weights, with the method of Sainte-Laguë (FED-5): the next replica goes to the highest weight/(2·given+1).
 *
 * The k-th replica of a cluster with weight w has the quotient w/(2k+1), counted from 0. The method gives the replicas with the
 * highest quotients, so most of them are counted instead of given one by one. With n clusters of the total weight W:
 *   quotients above W/(2·replicas-n) are not more than `replicas`: their replicas are certain;
 *   quotients from W/(2·replicas+n) upwards are at least `replicas`: all others get nothing.
 * Between the two are at most about 2n, which are sorted.
 */

import { fnv1a32 } from '../hash.ts';
import { byName } from './by-name.ts';

export interface Weighted {
  name: string;
  /** An integer above 0. */
  weight: number;
}

export interface Share {
  name: string;
  replicas: number;
}

/** In the order of names, with clusters that get none. Their sum is `replicas`, unless there is no cluster. */
export function divide(replicas: number, clusters: readonly Weighted[], uid = ''): Share[] {
  if (clusters.length === 0) return [];
  const count = BigInt(clusters.length);
  const twice = 2n * BigInt(Math.max(replicas, 0));
  const total = clusters.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  const shares = clusters.map(({ name, weight }) => ({
    name,
    weight,
    certain: twice > count ? quotientsAbove(weight, total, twice - count) : 0,
    possible: quotientsFrom(weight, total, twice + count),
    replicas: 0,
  }));
  const rest = replicas - shares.reduce((sum, { certain }) => sum + certain, 0);
  for (const share of shares) share.replicas = share.certain;
  for (const { share } of closest(shares, isDescending(uid)).slice(0, Math.max(rest, 0))) share.replicas += 1;
  return shares.map(({ name, replicas }) => ({ name, replicas })).sort(byName);
}

interface Contender extends Weighted {
  certain: number;
  possible: number;
  replicas: number;
}

/** How many k have weight/(2k+1) > total/divisor. */
const quotientsAbove = (weight: number, total: bigint, divisor: bigint): number =>
  oddUpTo((BigInt(weight) * divisor - 1n) / total);

/** How many k have weight/(2k+1) >= total/divisor. */
const quotientsFrom = (weight: number, total: bigint, divisor: bigint): number =>
  oddUpTo((BigInt(weight) * divisor) / total);

const oddUpTo = (limit: bigint): number => Number((limit + 1n) / 2n);

/** Replicas that are not certain, the next ones first: the higher quotient, then fewer given, then the name. */
function closest(shares: readonly Contender[], descending: boolean): { share: Contender; given: number }[] {
  const next = shares.flatMap((share) =>
    Array.from({ length: share.possible - share.certain }, (_, index) => ({ share, given: share.certain + index })),
  );
  return next.sort(
    (left, right) =>
      compareProducts(right.share.weight, 2 * left.given + 1, left.share.weight, 2 * right.given + 1) ||
      left.given - right.given ||
      (descending ? byName(right.share, left.share) : byName(left.share, right.share)),
  );
}

/** The sign of a·b - c·d, also where the products are beyond exact doubles. */
function compareProducts(a: number, b: number, c: number, d: number): number {
  const [left, right] = [a * b, c * d];
  if (left <= Number.MAX_SAFE_INTEGER && right <= Number.MAX_SAFE_INTEGER) return left - right;
  const difference = BigInt(a) * BigInt(b) - BigInt(c) * BigInt(d);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** Templates differ in who gains from ties, so that not every one of them favours the first cluster. */
const isDescending = (uid: string): boolean => uid !== '' && fnv1a32(uid) % 2 === 1;

/** A divided Job's completions, by the replicas that its clusters were given. Clusters may get 0. */
export const divideCompletions = (completions: number, clusters: readonly Share[], uid?: string): Map<string, number> =>
  new Map(
    divide(
      completions,
      clusters.filter(({ replicas }) => replicas > 0).map(({ name, replicas }) => ({ name, weight: replicas })),
      uid,
    ).map(({ name, replicas }) => [name, replicas]),
  );
