import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BlobOwner, Slab } from './slab.ts';

/** Blobs with their places, as records keep them. */
class Places implements BlobOwner {
  readonly slab: Slab;
  readonly blobs = new Map<number, { segment: number; offset: number; text: string }>();
  private next = 0;

  constructor(segmentSize = 256) {
    this.slab = new Slab({ segmentSize, reserve: () => {} });
  }

  add(text: string): number {
    const id = this.next++;
    this.slab.append(id, text.length).write(text, this.slab.offset, 'latin1');
    this.blobs.set(id, { segment: this.slab.segment, offset: this.slab.offset, text });
    return id;
  }

  free(id: number): void {
    const { segment, text } = this.blobs.get(id)!;
    this.blobs.delete(id);
    this.slab.free(segment, text.length);
  }

  isAt(id: number, segment: number, offset: number): boolean {
    const blob = this.blobs.get(id);
    return blob?.segment === segment && blob.offset === offset;
  }

  moved(id: number, segment: number, offset: number): void {
    Object.assign(this.blobs.get(id)!, { segment, offset });
  }

  texts(): string[] {
    return [...this.blobs.values()].map(({ segment, offset, text }) =>
      this.slab.bytesOf(segment).toString('latin1', offset, offset + text.length),
    );
  }
}

describe('a slab', () => {
  it('frees an empty segment', () => {
    const places = new Places();
    const ids = Array.from({ length: 10 }, (_, index) => places.add(String(index).repeat(100)));
    expect(places.slab.allocated).toBe(5 * 256);
    for (const id of ids.slice(0, 8)) places.free(id);
    expect(places.slab.allocated).toBe(256);
    expect(places.texts()).toEqual(['8'.repeat(100), '9'.repeat(100)]);
  });

  it('copies sparse segments together, a slice at a time', () => {
    const places = new Places();
    const ids = Array.from({ length: 400 }, (_, index) => places.add(String(index % 10).repeat(32)));
    for (const id of ids) if (id % 5 !== 0) places.free(id);
    const before = places.slab.allocated;
    let slices = 1;
    while (places.slab.compact(places, () => true)) slices++;
    expect(slices).toBeGreaterThan(5);
    expect(places.slab.allocated).toBeLessThan(before / 2);
    expect(places.texts()).toEqual([...places.blobs.values()].map(({ text }) => text));
  });

  it('starts with another segment if the current one was freed between two slices', () => {
    const places = new Places(1024);
    const ids = Array.from({ length: 73 }, () => places.add('a'.repeat(20)));
    for (const id of ids.slice(0, 20)) places.free(id);
    expect(places.slab.compact(places, () => true)).toBe(true);
    for (const id of ids.slice(20, 36)) places.free(id);
    // These get the number of that segment, and are not as long.
    for (let index = 0; index < 40; index++) places.add('b'.repeat(90));
    for (const id of ids.slice(36, 66)) places.free(id);
    while (places.slab.compact(places, () => true));
    expect(places.texts()).toEqual([...places.blobs.values()].map(({ text }) => text));
  });

  it('has a segment of its own for a blob that is larger than one', () => {
    const places = new Places();
    const id = places.add('x'.repeat(1000));
    places.add('y');
    expect(places.texts()).toEqual(['x'.repeat(1000), 'y']);
    places.free(id);
    expect(places.slab.allocated).toBe(256);
  });

  it('keeps nothing of a refused blob', () => {
    let isFull = false;
    const reserve = () => {
      if (isFull) throw new Error('full');
    };
    const slab = new Slab({ segmentSize: 64, reserve });
    slab.append(1, 50);
    isFull = true;
    expect(() => slab.append(2, 50)).toThrow('full');
    expect(slab.live).toBe(58);
    isFull = false;
    slab.append(3, 50);
    expect(slab.allocated).toBe(128);
  });

  it('never loses a blob, whatever is freed and compacted', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ is: fc.constant('add'), length: fc.nat(40) }) },
      { weight: 4, arbitrary: fc.record({ is: fc.constant('free'), which: fc.nat() }) },
      { weight: 1, arbitrary: fc.record({ is: fc.constant('compact') }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
        // More blobs in a segment than a slice moves.
        const places = new Places(1024);
        for (const one of steps) {
          const ids = [...places.blobs.keys()];
          if (one.is === 'add') places.add('abcdefghij'.repeat(30).slice(0, one.length));
          else if (one.is === 'free' && ids.length > 0) places.free(ids[one.which % ids.length]!);
          else if (one.is === 'compact') places.slab.compact(places, () => true);
        }
        expect(places.texts()).toEqual([...places.blobs.values()].map(({ text }) => text));
        const live = [...places.blobs.values()].reduce((sum, { text }) => sum + text.length + 8, 0);
        expect(places.slab.live).toBe(live);
      }),
      { numRuns: 100 },
    );
  });
});
