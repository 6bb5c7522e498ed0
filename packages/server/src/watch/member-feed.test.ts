import { Backoff } from '@fleet/client/backoff.ts';
import { expired, type StatusError } from '@fleet/kube/status.ts';
import { expect, it, vi } from 'vitest';
import { readEventLine } from '../merge/event-line.ts';
import { readSelection } from '../merge/selection.ts';
import type { Source, SourceBatch } from '../merge/source.ts';
import { MemberFeed } from './member-feed.ts';

const selection = readSelection('', new Set());

function batchOf(version: string): SourceBatch {
  const line = Buffer.from(`{"type":"ADDED","object":{"metadata":{"name":"x","resourceVersion":"${version}"}}}`);
  return { events: [{ line, read: readEventLine(line), position: version }], position: version, resumable: true };
}

it('events that cannot be sent end the feed: it is past them, and would leave them out', async () => {
  const asked: string[] = [];
  const faults: unknown[] = [];
  const source = () =>
    ({
      async watch({ from }: { from: string }) {
        asked.push(from);
        return {
          is: 'open',
          batches: (async function* () {
            yield batchOf('8');
          })(),
        };
      },
    }) as unknown as Source;
  const lost = Promise.withResolvers<StatusError>();
  const feed = new MemberFeed(
    {
      cluster: 'm1',
      source,
      server: () => undefined,
      ask: { selection, form: 'object' },
      onEvents: () => {
        throw new Error('a bug');
      },
      onGap: () => {},
      onProgress: () => {},
      onGoodbye: () => {},
      onCached: () => {},
      onLost: lost.resolve,
      onFault: (error) => faults.push(error),
    },
    '7',
  );
  expect(await lost.promise).toMatchObject({ code: 410 });
  expect(asked).toEqual(['7']);
  expect(faults).toMatchObject([{ cause: new Error('a bug') }]);
  feed.stop();
});

it('WATCH-5: a stopped feed sends no more events, though more have arrived, and its position stays', async () => {
  const source = () =>
    ({
      watch: async () => ({
        is: 'open',
        batches: (async function* () {
          yield batchOf('8');
          yield batchOf('9');
          read.resolve();
        })(),
      }),
    }) as unknown as Source;
  const read = Promise.withResolvers<void>();
  const received: string[] = [];
  const feed: MemberFeed = new MemberFeed(
    {
      cluster: 'm1',
      source,
      server: () => undefined,
      ask: { selection, form: 'object' },
      onEvents: ({ events }) => {
        received.push(...events.map(({ read: { version } }) => version));
        feed.stop();
        read.resolve();
      },
      onGap: () => {},
      onProgress: () => {},
      onGoodbye: () => {},
      onCached: () => {},
      onLost: () => {},
      onFault: () => {},
    },
    '7',
  );
  await read.promise;
  await new Promise(setImmediate);
  expect({ received, position: feed.position }).toEqual({ received: ['8'], position: '8' });
});

it('WATCH-5: a feed that was stopped is not lost as well: another one may have its cluster’s name by then', async () => {
  const source = () =>
    ({
      watch: async () => ({
        is: 'open',
        batches: (async function* () {
          yield batchOf('8');
        })(),
      }),
    }) as unknown as Source;
  const fault = Promise.withResolvers<unknown>();
  const lost: StatusError[] = [];
  const feed: MemberFeed = new MemberFeed(
    {
      cluster: 'm1',
      source,
      server: () => undefined,
      ask: { selection, form: 'object' },
      onEvents: () => {
        feed.stop();
        throw new Error('a bug');
      },
      onGap: () => {},
      onProgress: () => {},
      onGoodbye: () => {},
      onCached: () => {},
      onLost: (error) => lost.push(error),
      onFault: fault.resolve,
    },
    '7',
  );
  expect(await fault.promise).toMatchObject({ cause: new Error('a bug') });
  expect(lost).toEqual([]);
});

/** A feed whose watches bring these, one after the other; ends when there are no more. */
function feedOf(...watches: (() => AsyncGenerator<SourceBatch>)[]) {
  const lost = Promise.withResolvers<StatusError>();
  const gone = { is: 'expired', error: expired('no more') };
  const source = () =>
    ({
      async watch() {
        const batches = watches.shift();
        return batches ? { is: 'open', batches: batches() } : gone;
      },
    }) as unknown as Source;
  const [onEvents, onProgress, onFault] = [vi.fn(), vi.fn(), vi.fn()];
  const parts = { cluster: 'm1', server: () => undefined, source, ask: { selection, form: 'object' as const } };
  const feed = new MemberFeed(
    {
      ...parts,
      onEvents,
      onGap: () => {},
      onProgress,
      onGoodbye: () => {},
      onCached: () => {},
      onLost: lost.resolve,
      onFault,
    },
    '7',
  );
  return { feed, lost: lost.promise, onEvents, onProgress };
}

it('WATCH-4: events that an error follows are sent, but a member that fails so each time is asked less and less often', async () => {
  vi.spyOn(Backoff.prototype, 'wait').mockResolvedValue();
  const reset = vi.spyOn(Backoff.prototype, 'reset');
  const failing = async function* () {
    yield { ...batchOf('8'), isFailing: true };
  };
  const first = feedOf(failing);
  await first.lost;
  expect({ received: first.onEvents.mock.calls.length, resets: reset.mock.calls.length }).toEqual({
    received: 1,
    resets: 0,
  });
  const second = feedOf(async function* () {
    yield batchOf('8');
  });
  await second.lost;
  expect(reset).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});

it('WATCH-6: a 410 within the stream ends the feed, and it is not opened again', async () => {
  const later = vi.fn();
  const { feed, lost, onEvents } = feedOf(
    async function* () {
      yield batchOf('8');
      throw expired('too old');
    },
    async function* () {
      later();
      yield batchOf('9');
    },
  );
  expect(await lost).toMatchObject({ code: 410, cause: { message: 'too old' } });
  expect({ position: feed.position, received: onEvents.mock.calls.length }).toEqual({ position: '8', received: 1 });
  expect(later).not.toHaveBeenCalled();
});
