import { describe, expect, it } from 'vitest';
import { digest, parseIndex } from './index-document.ts';

const index = (count: number, url = '/openapi/v3/x') =>
  Buffer.from(
    JSON.stringify({
      paths: Object.fromEntries(
        Array.from({ length: count }, (_, number) => [`apis/${number}`, { serverRelativeURL: url }]),
      ),
    }),
  );

describe('SEC-2: an index of OpenAPI documents', () => {
  it('documents without a hash have that of the index', () => {
    const bytes = index(2);
    expect([...parseIndex(bytes).values()]).toEqual([digest(bytes), digest(bytes)]);
    expect([...parseIndex(index(1, '/x?hash=ABC')).values()]).toEqual(['ABC']);
  });

  it('is hashed once, however many there are', () => {
    const bytes = index(5_000, `/openapi/v3/x?${'y'.repeat(150)}`);
    const began = process.cpuUsage();
    expect(parseIndex(bytes).size).toBe(5_000);
    const { user } = process.cpuUsage(began);
    // In microseconds. With a hash for each entry it would take seconds.
    expect(user).toBeLessThan(1_000_000);
  });

  it('of more documents than any cluster has is none', () => {
    expect(() => parseIndex(index(5_001))).toThrow('5001 OpenAPI documents');
  });
});
