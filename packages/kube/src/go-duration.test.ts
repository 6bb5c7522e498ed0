import { describe, expect, it } from 'vitest';
import { isGoDuration, parseGoDuration } from './go-duration.ts';

describe('durations as Go reads them', () => {
  it.each([
    ['0', 0n],
    ['+0', 0n],
    ['1h30m', 5_400_000_000_000n],
    ['-1.5s', -1_500_000_000n],
    ['.5ms', 500_000n],
    ['1.s', 1_000_000_000n],
    ['2µs3μs4us5ns', 9_005n],
    [`${'0'.repeat(100)}1s`, 1_000_000_000n],
    ['0.3333333333333333333333333333333333333333s', 333_333_333n],
  ])('%s', (text, nanos) => {
    expect(parseGoDuration(text)).toBe(nanos);
    expect(isGoDuration(text)).toBe(true);
  });

  it.each(['', '+', '1', '1x', '.s', '1s ', 's', '1..5s', '1 s', '--1s'])('%j is not a duration', (text) => {
    expect(parseGoDuration(text)).toBeUndefined();
    expect(isGoDuration(text)).toBe(false);
  });

  it('a duration too long for Go cannot be used', () => {
    expect(parseGoDuration('9223372036854775807ns')).toBe(2n ** 63n - 1n);
    expect(parseGoDuration('9223372036854775808ns')).toBeUndefined();
    expect(parseGoDuration(`${'9'.repeat(100)}s`)).toBeUndefined();
  });

  // Short enough that a backtracking pattern is slow but ends: a test that never ends gives no name.
  it.each([
    ['digits', `${'0'.repeat(20_000)}x`],
    ['parts', `${'00s'.repeat(24)}x`],
  ])('SEC-3: %s that an ambiguous pattern could split are parsed once', (_, text) => {
    const before = process.threadCpuUsage();
    expect(isGoDuration(text)).toBe(false);
    expect(parseGoDuration(text)).toBeUndefined();
    expect(process.threadCpuUsage(before).user).toBeLessThan(200_000);
  });

  it('SEC-3: many parts cost time linear in their length', () => {
    const before = process.threadCpuUsage();
    expect(parseGoDuration('00s'.repeat(20_000))).toBe(0n);
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  });
});
