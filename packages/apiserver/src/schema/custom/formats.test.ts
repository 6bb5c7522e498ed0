import { describe, expect, it } from 'vitest';
import { fitsFormat } from './formats.ts';

describe('formats of texts', () => {
  it('hostnames as Go has them', () => {
    for (const name of ['a', 'a-b', 'example.com', 'xn--a.example', 'ü.example'])
      expect(fitsFormat('hostname', name)).toBe(true);
    for (const name of ['', '-a', 'a..b', 'a.1', `${'a'.repeat(64)}.com`, `${'a.'.repeat(130)}com`])
      expect(fitsFormat('hostname', name), name).toBe(false);
  });

  it('durations, of Go and with unit names', () => {
    for (const text of ['0', '1h30m', '-.5s', '3 hours', '2d']) expect(fitsFormat('duration', text)).toBe(true);
    for (const text of ['', '1', '1x', '1h 30m']) expect(fitsFormat('duration', text)).toBe(false);
  });

  it('SEC-3: a duration of digits costs no more than its length', () => {
    const begun = process.threadCpuUsage();
    expect(fitsFormat('duration', `${'1'.repeat(60_000)}x`)).toBe(false);
    expect(process.threadCpuUsage(begun).user).toBeLessThan(500_000);
  });
});
