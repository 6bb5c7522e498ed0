import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ManagedFields, young } from './managed-fields.ts';

/** Owners are read in the order of their numbers. */
class Owners {
  readonly managed = new ManagedFields({
    compare: (one, other) => one - other,
    managedMoved: (owner, block, index) => Object.assign(this.places.get(owner)!, { block, index }),
  });
  readonly places = new Map<number, { block: number; index: number; text: string }>();

  add(owner: number, text: string): void {
    const source = Buffer.from(`<${text}>`);
    this.places.set(owner, { block: young, index: -1, text });
    this.places.get(owner)!.index = this.managed.add(owner, source, 1, source.length - 1);
  }

  release(owner: number): void {
    const { block, index } = this.places.get(owner)!;
    this.places.delete(owner);
    this.managed.release(block, index);
  }

  check(): void {
    for (const { block, index, text } of this.places.values()) {
      const found = this.managed.text(block, index).toString();
      if (found !== text) expect(found).toBe(text);
    }
  }
}

const textOf = (owner: number) => `,"managedFields":[{"manager":"m-${owner}","fields":"${'f'.repeat(owner % 90)}"}]`;

it('CACHE-6: common parts of many objects take little memory', () => {
  const owners = new Owners();
  const large = 'f:spec'.repeat(400);
  for (let owner = 0; owner < 4_000; owner++) owners.add(owner, `${large}${owner}`);
  while (owners.managed.compact());
  owners.check();
  // What is not compressed yet is counted as it is.
  expect(owners.managed.bytes).toBeLessThan((4_000 * large.length) / 3);
});

it('returns every text, whatever was added, released and compacted', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ is: fc.constant('add'), from: fc.nat(9_999), count: fc.nat(1_500) }) },
    { weight: 3, arbitrary: fc.record({ is: fc.constant('release'), from: fc.nat(9_999), every: fc.nat({ max: 4 }) }) },
    { weight: 3, arbitrary: fc.record({ is: fc.constant('compact'), times: fc.nat(40) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 16, size: 'max' }), (steps) => {
      const owners = new Owners();
      for (const one of steps) {
        if (one.is === 'add') {
          for (let owner = one.from; owner < one.from + one.count; owner++) {
            if (!owners.places.has(owner)) owners.add(owner, textOf(owner));
          }
        } else if (one.is === 'release') {
          for (const owner of [...owners.places.keys()]) {
            if (owner > one.from && owner % (one.every + 2) !== 0) owners.release(owner);
          }
        } else for (let time = 0; time < one.times; time++) owners.managed.compact();
        owners.check();
      }
      for (const owner of [...owners.places.keys()]) owners.release(owner);
      expect(owners.managed.bytes).toBe(0);
    }),
    { numRuns: 25 },
  );
});
