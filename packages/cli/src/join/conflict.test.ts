import { expect, test } from 'vitest';
import type { Cluster } from '../cluster.ts';
import { managed } from '../labels.ts';
import { refuseConflict } from './conflict.ts';

const cluster = (name: string, id: string, labels: Record<string, string> = managed): Cluster => ({
  metadata: { name, labels },
  spec: { id, syncMode: 'Push' },
});

test('CLU-2: a new member and a second join are fine', () => {
  expect(() => refuseConflict([], 'a', 'uid-1')).not.toThrow();
  expect(() => refuseConflict([cluster('b', 'uid-2')], 'a', 'uid-1')).not.toThrow();
  expect(() => refuseConflict([cluster('a', 'uid-1')], 'a', 'uid-1')).not.toThrow();
});

test('CLU-2: the same member under another name is refused', () => {
  expect(() => refuseConflict([cluster('b', 'uid-1')], 'a', 'uid-1')).toThrow('already registered as "b"');
});

test('CLU-2: a name that stands for another member is refused', () => {
  expect(() => refuseConflict([cluster('a', 'uid-2')], 'a', 'uid-1')).toThrow('stands for another member');
});

test('CP-5: a cluster that Karmada registered is left alone', () => {
  expect(() => refuseConflict([cluster('a', 'uid-1', {})], 'a', 'uid-1')).toThrow('not by fleet join');
});
