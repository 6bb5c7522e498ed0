import type { KubeObject } from '@fleet/client/kube-client.ts';
import { expect, it } from 'vitest';
import { isSameButStatus } from './same-but-status.ts';

const object = (metadata: object = {}, status = {}): KubeObject => ({
  metadata: { name: 'a', uid: 'u', generation: 2, labels: { app: 'a' }, resourceVersion: '1', ...metadata },
  ...{ status },
});
const old = object();

it.each([
  ['a status', object({ resourceVersion: '2' }, { ready: 1 }), true],
  ['the content', object({ generation: 3 }), false],
  ['a label', object({ labels: { app: 'b' } }), false],
  ['an annotation', object({ annotations: { text: 'b' } }), false],
  ['a finalizer', object({ finalizers: ['a/b'] }), false],
  ['its deletion', object({ deletionTimestamp: '2026-01-01T00:00:00Z' }), false],
  ['another object of the name', object({ uid: 'v' }), false],
])('what differs is %s', (_what, now, expected) => {
  expect(isSameButStatus(now, old)).toBe(expected);
});

it('what is new, or of a kind without generations, is never the same', () => {
  expect(isSameButStatus(old, undefined)).toBe(false);
  const configMap: KubeObject = { metadata: { name: 'a' } };
  expect(isSameButStatus(configMap, configMap)).toBe(false);
});
