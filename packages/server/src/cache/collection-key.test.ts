import { expect, test } from 'vitest';
import { storageKey } from './collection-key.ts';

const key = (group: string, resource: string) => storageKey('m1', { group, resource });

test('CACHE-7: writes through another resource of the same storage are own writes, too', () => {
  expect(key('events.k8s.io', 'events')).toBe(key('', 'events'));
  expect(key('', 'bindings')).toBe(key('', 'pods'));
  expect(key('extensions', 'ingresses')).toBe(key('networking.k8s.io', 'ingresses'));
  expect(key('', 'events')).not.toBe(key('', 'pods'));
  expect(key('example.dev', 'events')).not.toBe(key('', 'events'));
});
