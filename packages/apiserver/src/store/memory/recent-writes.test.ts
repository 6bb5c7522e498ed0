import { expect, it } from 'vitest';
import { RecentWrites } from './recent-writes.ts';

const event = (revision: number) => ({ key: '/a', revision, value: new Uint8Array([revision]) });

it('LIMIT-2: of many or large writes only the last are kept', () => {
  const recent = new RecentWrites();
  const value = new Uint8Array(1 << 20);
  for (let revision = 2; revision <= 7; revision += 1) recent.add(revision, { key: '/a', value, previous: undefined });
  expect([2, 3, 4, 5, 6, 7].map((revision) => recent.known(event(revision)).value === value)).toEqual([
    ...[false, false],
    ...[true, true, true, true],
  ]);
  const small = new Uint8Array(1);
  for (let revision = 8; revision < 1_500; revision += 1)
    recent.add(revision, { key: '/a', value: small, previous: undefined });
  expect(recent.known(event(490)).value).not.toBe(small);
  expect(recent.known(event(600)).value).toBe(small);
});

it('what is known of another key is not taken for it', () => {
  const recent = new RecentWrites();
  recent.add(2, { key: '/b', value: new Uint8Array(1), previous: undefined });
  const given = event(2);
  expect(recent.known(given)).toBe(given);
});
