import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuery } from './query.ts';

describe('URL-9: the product’s own parameters', () => {
  it('are taken out, the others stay byte for byte and in order', () => {
    const query = 'b=%20+&clusterspace=member1&a=1&partial=true&b=2&%zz&=x&';
    expect(readQuery(query)).toEqual({
      clusterspace: 'member1',
      requestOptions: { partial: true },
      rest: 'b=%20+&a=1&b=2&%zz&=x&',
    });
  });

  it('are recognised however they are encoded', () => {
    expect(readQuery('%63lusterspace=m&p%61rtial=false&x=1')).toEqual({
      clusterspace: 'm',
      requestOptions: { partial: false },
      rest: 'x=1',
    });
  });

  it('a parameter that only looks like ours is the member’s', () => {
    const query = 'clusterspaces=a&xpartial=b&labelSelector=clusterspace%3Dm';
    expect(readQuery(query)).toEqual({ clusterspace: undefined, requestOptions: { partial: undefined }, rest: query });
  });

  it('those that only a cache heeds are taken out, too', () => {
    expect(readQuery('fresh=true&a=1&consistent=true').rest).toBe('a=1');
  });

  it('ERR-4: partial must be true or false, and the error names it', () => {
    expect(() => readQuery('partial=1')).toThrow('partial must be true or false, not "1"');
    expect(() => readQuery('partial')).toThrow('partial must be true or false');
  });

  it('a query without our parameters is never touched', () => {
    const ours = /clusterspace|partial|fresh|consistent/i;
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)) }),
        (query) => {
          fc.pre(!ours.test(decodeURIComponent(query.replace(/%(?![0-7][0-9a-f])/gi, '%25'))));
          expect(readQuery(query).rest).toBe(query);
        },
      ),
    );
  });
});
