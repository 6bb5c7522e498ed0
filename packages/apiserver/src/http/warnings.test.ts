import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { Warnings } from './warnings.ts';

const headersOf = (...texts: string[]): string[] => {
  const warnings = new Warnings();
  for (const text of texts) warnings.add(text);
  return warnings.headers;
};

it('each is sent once, none with control characters', () => {
  expect(headersOf('a', 'b', 'a', '', 'c\n')).toEqual(['299 - "a"', '299 - "b"']);
});

it('COMPAT-4: above 4,096 characters in all each is cut to 256, and no more come', () => {
  const long = (sign: string) => sign.repeat(3_000);
  expect(headersOf(long('a'), 'short')).toEqual([`299 - "${long('a')}"`, '299 - "short"']);
  expect(headersOf(long('a'), long('b'), 'short').map(({ length }) => length)).toEqual([264, 264, 13]);
  const many = headersOf(...Array.from({ length: 1_000 }, (_, n) => `${n} ${long('x')}`));
  expect(many.length).toBeLessThan(20);
});

it('SEC-3: ports that are the same again and again cost no more than their number', async () => {
  const { ask } = await openServer();
  const ports = Array.from({ length: 2_000 }, () => ({ containerPort: 1 }));
  const begun = process.threadCpuUsage();
  const { headers } = await ask('POST', '/api/v1/namespaces/default/pods?dryRun=All', {
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'a', image: 'a', ports }] },
  });
  const { user, system } = process.threadCpuUsage(begun);
  expect((user + system) / 1000).toBeLessThan(2_000);
  expect(String(headers['warning']).length).toBeLessThan(10_000);
});
