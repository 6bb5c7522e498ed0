import type { FeedState } from '@fleet/cache/messages.ts';
import type { ReflectorState } from '@fleet/cache/reflector/reflector-state.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { expect, test } from 'vitest';
import { type FeedFacts, feedReport } from './feed-reports.ts';

const feed: FeedState = { feed: 'f', health: { is: 'healthy' }, filled: true, objects: 7, bytes: 700 };
const reflector = (is: ReflectorState['is'], lastError?: string): ReflectorState => ({
  is,
  since: 1,
  lastError,
  lastEvent: 5,
});
const nothing: FeedFacts = { failure: undefined, reflector: undefined, feed: undefined, isReady: true };
const counts = { objects: 7, bytes: 700, lastEvent: 5 };

test('CACHE-2: before its shape is known, what went wrong with that', () => {
  expect(feedReport(nothing)).toMatchObject({ is: 'filling', objects: 0, bytes: 0 });
  const failed = (failure: unknown) => feedReport({ ...nothing, feed, failure });
  expect(failed(new StatusError(403, 'Forbidden', 'no'))).toEqual({
    is: 'not-granted',
    objects: 0,
    bytes: 0,
    error: 'no',
  });
  expect(failed(new StatusError(404, 'NotFound', 'none'))).toMatchObject({ is: 'not-served', error: 'none' });
  expect(failed(new Error('cannot connect', { cause: new Error('refused') }))).toMatchObject({
    is: 'unreachable',
    error: 'cannot connect: refused',
  });
  expect(failed(new SyntaxError('what'))).toMatchObject({ is: 'unreadable' });
});

test('CACHE-2: then what fills it reports', () => {
  const of = (is: ReflectorState['is']) => feedReport({ ...nothing, feed, reflector: reflector(is, 'e') });
  expect(of('synced')).toEqual({ is: 'synced', ...counts, error: 'e' });
  expect(of('filling')).toMatchObject({ is: 'filling', ...counts });
  expect(of('unreachable')).toMatchObject({ is: 'unreachable', ...counts });
  expect(of('failing')).toMatchObject({ is: 'unreadable' });
  expect(of('absent')).toMatchObject({ is: 'not-served' });
  expect(of('refused')).toMatchObject({ is: 'not-granted' });
});

test('a member whose probes fail is not synced, though its stream is silent', () => {
  const { is, error } = feedReport({ ...nothing, feed, reflector: reflector('synced'), isReady: false });
  expect([is, error]).toEqual(['unreachable', 'the health probe of the cluster fails']);
});

test('CACHE-18: how much was read of what does not fit', () => {
  const dropped = { ...feed, objects: 0, bytes: 0, full: { objects: 30 } };
  expect(feedReport({ ...nothing, feed: dropped, reflector: reflector('full', '9 of 8 bytes') })).toMatchObject({
    is: 'full',
    objects: 0,
    error: '9 of 8 bytes, with 30 objects read',
  });
});
