import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fnv1a32 } from '../hash.ts';
import { divide, divideCompletions, type Share, type Weighted } from './divide.ts';

const evenUid = 'a';
const oddUid = 'b';

const clusters = (weights: readonly number[]): Weighted[] =>
  weights.map((weight, index) => ({ name: `m${index + 1}`, weight }));
const replicasOf = (shares: readonly Share[]): string => shares.map(({ replicas }) => replicas).join(':');

describe('FED-5: the vectors', () => {
  it.each([
    [12, '3:2:1', evenUid, '6:4:2'],
    [13, '3:2:1', evenUid, '7:4:2'],
    [14, '3:2:1', evenUid, '7:5:2'],
    [2, '2:1', evenUid, '1:1'],
    [9, '1:3', evenUid, '2:7'],
    [10, '1:2:3', evenUid, '2:3:5'],
    [3, '1:1', evenUid, '2:1'],
    [3, '1:1', oddUid, '1:2'],
    [10, '1:1:1', evenUid, '4:3:3'],
    [10, '1:1:1', oddUid, '3:3:4'],
    [8, '2:1:1:1', evenUid, '3:2:2:1'],
    [8, '2:1:1:1', oddUid, '3:1:2:2'],
    // A tie between 3/3 and 1/1: fewer given comes before the name.
    [2, '3:1', evenUid, '1:1'],
    [2, '1:3', oddUid, '1:1'],
    [3, '1:1', '', '2:1'],
    [3, '1:1', undefined, '2:1'],
    [0, '1:1', evenUid, '0:0'],
    [1, '1:1:1', oddUid, '0:0:1'],
  ])('FED-5: %i by %s with the uid %j is %4$s', (replicas, weights, uid, expected) => {
    expect(replicasOf(divide(replicas, clusters(weights.split(':').map(Number)), uid))).toBe(expected);
  });

  it('FED-5: the uids of the vectors have the parity they stand for', () => {
    expect([fnv1a32(evenUid) % 2, fnv1a32(oddUid) % 2]).toEqual([0, 1]);
  });

  it('FED-5: nothing to divide among', () => {
    expect(divide(5, [])).toEqual([]);
  });
});

/** The rule as it is written: replica by replica. */
function oneByOne(replicas: number, weighted: readonly Weighted[], uid: string): Share[] {
  const shares = weighted.map(({ name, weight }) => ({ name, weight: BigInt(weight), replicas: 0 }));
  const isOdd = uid !== '' && fnv1a32(uid) % 2 === 1;
  for (let left = replicas; left > 0; left--) {
    const best = shares.reduce((one, other) => {
      const [mine, its] = [one.weight * BigInt(2 * other.replicas + 1), other.weight * BigInt(2 * one.replicas + 1)];
      if (mine !== its) return mine > its ? one : other;
      if (one.replicas !== other.replicas) return one.replicas < other.replicas ? one : other;
      return one.name < other.name !== isOdd ? one : other;
    });
    best.replicas += 1;
  }
  return shares
    .map(({ name, replicas }) => ({ name, replicas }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

const name = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,5}[a-z0-9])?$/);
const clustersOf = (weight: fc.Arbitrary<number>) =>
  fc.uniqueArray(fc.record({ name, weight }), { selector: (cluster) => cluster.name, minLength: 1, maxLength: 12 });
/** Few different weights make ties; beside a huge one small ones get nothing. */
const weightedClusters = fc.oneof(
  clustersOf(fc.integer({ min: 1, max: 9 })),
  clustersOf(fc.integer({ min: 1, max: 1000 })),
  clustersOf(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
);
const uid = fc.constantFrom('', evenUid, oddUid);
const replicas = fc.nat({ max: 200 });
const sumOf = (shares: readonly Share[]): number => shares.reduce((sum, share) => sum + share.replicas, 0);

describe('FED-5: division as properties', () => {
  it('FED-5: it equals giving replicas one by one', () => {
    fc.assert(
      fc.property(replicas, weightedClusters, uid, (count, among, of) => {
        expect(divide(count, among, of)).toEqual(oneByOne(count, among, of));
      }),
      { numRuns: 500 },
    );
  });

  it('FED-5: the sum is exact, also of a million replicas', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000 }), weightedClusters, uid, (count, among, of) => {
        expect(sumOf(divide(count, among, of))).toBe(count);
      }),
    );
  });

  it('FED-5: one more replica takes none away', () => {
    fc.assert(
      fc.property(replicas, weightedClusters, uid, (count, among, of) => {
        const less = divide(count, among, of);
        const more = divide(count + 1, among, of);
        expect(more.every((share, index) => share.replicas >= less[index]!.replicas)).toBe(true);
      }),
    );
  });

  it('FED-5: a larger weight never has fewer replicas', () => {
    fc.assert(
      fc.property(replicas, weightedClusters, uid, (count, among, of) => {
        const given = new Map(divide(count, among, of).map((share) => [share.name, share.replicas]));
        const ordered = among.toSorted((one, other) => one.weight - other.weight);
        for (const [index, { name: bigger, weight: large }] of ordered.entries()) {
          const { name: smaller, weight: small } = ordered[Math.max(index - 1, 0)]!;
          if (large > small) expect(given.get(bigger)).toBeGreaterThanOrEqual(given.get(smaller)!);
        }
      }),
    );
  });

  it('FED-5: the order of clusters does not matter, the result is in the order of names, arguments stay as they are', () => {
    fc.assert(
      fc.property(replicas, weightedClusters, uid, (count, among, of) => {
        const before = structuredClone(among);
        const shares = divide(count, among, of);
        expect(among).toEqual(before);
        expect(divide(count, among.toReversed(), of)).toEqual(shares);
        expect(shares.map((share) => share.name)).toEqual(among.map((cluster) => cluster.name).sort());
      }),
    );
  });

  it('FED-5: a million replicas and five thousand clusters take no loop over replicas', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({ name: `m${index}`, weight: 1 + (index % 97) }));
    const start = performance.now();
    expect(sumOf(divide(1_000_000, many, oddUid))).toBe(1_000_000);
    // Replica by replica it takes minutes.
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe("FED-5: a divided Job's completions", () => {
  it('FED-5: completions are divided by the replicas given, in the order of names', () => {
    const given = [
      { name: 'm2', replicas: 3 },
      { name: 'm1', replicas: 1 },
    ];
    expect([...divideCompletions(8, given, evenUid)]).toEqual([
      ['m1', 2],
      ['m2', 6],
    ]);
  });

  it('FED-5: a cluster may have no completions', () => {
    const given = [
      { name: 'm1', replicas: 9 },
      { name: 'm2', replicas: 1 },
      { name: 'm3', replicas: 0 },
    ];
    expect([...divideCompletions(1, given)]).toEqual([
      ['m1', 1],
      ['m2', 0],
    ]);
  });
});
