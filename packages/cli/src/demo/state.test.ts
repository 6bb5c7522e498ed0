import { expect, test } from 'vitest';
import { type Asked, type DemoState, listenedOn, sizeOf } from './state.ts';

const kept: DemoState = { clusters: 5, seed: 3, listen: '0.0.0.0:8443', pods: 100, filled: 100, opened: 5, joined: 5 };
const asked = (given: Partial<Asked> = {}): Asked => ({
  clusters: undefined,
  pods: undefined,
  seed: undefined,
  listen: undefined,
  federation: false,
  ...given,
});

test('a new demo has three clusters and any free port', () => {
  const size = { clusters: 3, seed: 1, listen: '127.0.0.1:0', pods: 0, podsNow: 0, federation: false };
  expect(sizeOf(asked(), undefined)).toEqual(size);
});

test('a kept one goes on as it is; clusters are never fewer, and its seed stays', () => {
  expect(sizeOf(asked(), kept)).toMatchObject({ clusters: 5, seed: 3, listen: '0.0.0.0:8443' });
  expect(sizeOf(asked({ clusters: 3, seed: 9 }), kept)).toMatchObject({ clusters: 5, seed: 3 });
});

test('its address may be changed', () => {
  expect(sizeOf(asked({ listen: '127.0.0.1:0' }), kept).listen).toBe('127.0.0.1:0');
});

test.each([
  ['what users deleted stays deleted', undefined, 100, 0],
  ['unless they ask for it', 100, 100, 100],
  ['more can be asked for', 150, 100, 150],
  ['a start that was killed while it made them goes on', undefined, 40, 100],
  ['with what it was asked for before, too', 50, 40, 100],
])('pods: %s', (_, pods, filled, podsNow) => {
  expect(sizeOf(asked({ pods }), { ...kept, filled }).podsNow).toBe(podsNow);
});

test.each([
  ['0.0.0.0:8443', 'https://localhost:8443', '0.0.0.0:8443'],
  ['127.0.0.1:0', 'https://127.0.0.1:40123', '127.0.0.1:40123'],
  ['[::1]:0', 'https://[::1]:40123', '[::1]:40123'],
  [':0', 'https://localhost:40123', ':40123'],
  ['127.0.0.1:8080', 'https://127.0.0.1:8080', '127.0.0.1:8080'],
])('%s is kept with the port that it became', (given, url, desired) => {
  expect(listenedOn(given, url)).toBe(desired);
});

test('whether it propagates a template is decided when it is made', () => {
  expect(sizeOf(asked({ federation: true }), undefined).federation).toBe(true);
  expect(sizeOf(asked(), { ...kept, federation: true }).federation).toBe(true);
  expect(() => sizeOf(asked({ federation: true }), kept)).toThrow('was made without it');
});
