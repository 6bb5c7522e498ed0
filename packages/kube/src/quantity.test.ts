import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { addQuantities, formatQuantity, parseQuantity, QuantityError, rewrittenQuantity } from './quantity.ts';

const canonical = (text: string) => formatQuantity(parseQuantity(text));

/** As `resource.MustParse(x).String()` of k8s.io/apimachinery gives them. */
test.each([
  ['0', '0'],
  ['0Ki', '0'],
  ['1', '1'],
  ['+1', '1'],
  ['-1', '-1'],
  ['1000m', '1'],
  ['1500m', '1500m'],
  ['0.1', '100m'],
  ['.5', '500m'],
  ['1.', '1'],
  ['1000', '1k'],
  ['1024', '1024'],
  ['1024Ki', '1Mi'],
  ['1000Ki', '1000Ki'],
  ['1.5Gi', '1536Mi'],
  ['1.5Ki', '1536'],
  ['0.5Ki', '512'],
  ['0.1Ki', '102400m'],
  ['1Ki', '1Ki'],
  ['1E', '1E'],
  ['1Ei', '1Ei'],
  ['1e3', '1e3'],
  ['1E3', '1e3'],
  ['100e-3', '100e-3'],
  ['1e-9', '1e-9'],
  ['1n', '1n'],
  ['0.1n', '1n'],
  ['-0.1n', '-1n'],
  ['1.0000000001', '1000000001n'],
  ['9223372036854775808', '9223372036854775808'],
  ['99999999999999999999', '99999999999999999999'],
  ['10E', '10E'],
  ['1e19', '10e18'],
  ['1e45', '1e45'],
  ['12345e40', '123450e39'],
  // only powers of two have an end
  ['8Ei', '9223372036854775807'],
  ['-16Ei', '-9223372036854775807'],
  ['9223372036854775808Ki', '9223372036854775807'],
])('%s is written %s', (text, expected) => {
  expect(canonical(text)).toBe(expected);
});

test('beyond the last suffix nothing is lost, though Go’s canonical form drops the exponent there', () => {
  expect(canonical('1000E')).toBe('1000E');
});

/** As Go's `Quantity` is in JSON after it was read from protobuf. */
test.each([
  ['0', '0'],
  ['0k', '0'],
  ['+1', '+1'],
  ['007', '007'],
  ['1E3', '1E3'],
  ['1000', '1k'],
  ['1.5', '1500m'],
  ['1.500', '1.500'],
  ['1988657420e7', '19886574200e6'],
  ['8985192Mi', '8985192Mi'],
  ['7Mi', '7Mi'],
  ['1024Ki', '1Mi'],
  ['1234567890123456789', '1234567890123456789'],
])('%s that was read is written %s', (text, expected) => {
  expect(rewrittenQuantity(text)).toBe(expected);
});

test('LIMIT-3: no exponent makes a number of a million digits', () => {
  expect(canonical('1e400000000').length).toBeLessThan(10);
  expect(canonical('1e-400000000')).toBe('1e-9');
});

test.each(['', 'x', '1x', '1ki', '1mi', '1K', '1.2.3', '--1', '1e', '1e1.5', ' 1', '1 ', 'Ki', '.', '1Kib'])(
  '%j is no quantity',
  (text) => {
    expect(() => parseQuantity(text)).toThrow(QuantityError);
  },
);

const numbers = fc
  .tuple(fc.constantFrom('', '-'), fc.nat(10_000), fc.option(fc.nat(999)))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}`);
const suffixes = fc.constantFrom('n', 'u', 'm', '', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'E-3', 'e0');
const quantities = fc.tuple(numbers, suffixes).map((parts) => parts.join(''));

describe('canonical form', () => {
  it('means the same, has no fraction, and is its own canonical form', () => {
    fc.assert(
      fc.property(quantities, (text) => {
        const value = parseQuantity(text);
        const written = formatQuantity(value);
        expect(parseQuantity(written).nano).toBe(value.nano);
        expect(written).not.toContain('.');
        expect(canonical(written)).toBe(written);
      }),
    );
  });

  it('has the largest suffix that loses nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), (count) => {
        const [, digits, suffix] = /^(\d+)(\D*)$/.exec(canonical(`${count}Ki`)) ?? [];
        if (suffix !== '') expect(Number(digits) % 1024 === 0 && suffix !== 'Ei').toBe(false);
      }),
    );
  });
});

describe('sums', () => {
  it('do not depend on the order, apart from how they are written', () => {
    fc.assert(
      fc.property(quantities, quantities, quantities, (a, b, c) => {
        const [x, y, z] = [a, b, c].map(parseQuantity) as [never, never, never];
        expect(addQuantities(addQuantities(x, y), z).nano).toBe(addQuantities(x, addQuantities(y, z)).nano);
        expect(addQuantities(x, y).nano).toBe(addQuantities(y, x).nano);
      }),
    );
  });

  it('are written as the first of them that is not nothing', () => {
    const sum = (...texts: string[]) =>
      formatQuantity(texts.map(parseQuantity).reduce(addQuantities, { nano: 0n, format: 'decimal' }));
    expect(sum('1Gi', '1Gi')).toBe('2Gi');
    expect(sum('0', '512Mi', '1G')).toBe('1536870912');
    expect(sum('1G', '512Mi')).toBe('1536870912');
    expect(sum('1k', '1Ki')).toBe('2024');
    expect(sum('100m', '0.9')).toBe('1');
    expect(sum()).toBe('0');
  });
});
