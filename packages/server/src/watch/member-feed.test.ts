import type { StatusError } from '@fleet/kube/status.ts';
import { expect, it } from 'vitest';
import type { Source } from '../merge/source.ts';
import { MemberFeed } from './member-feed.ts';

const line = (version: string) =>
  Buffer.from(`{"type":"ADDED","object":{"metadata":{"name":"x","resourceVersion":"${version}"}}}`);

it('events that cannot be told end the feed: it is past them, and would leave them out', async () => {
  const asked: string[] = [];
  const faults: unknown[] = [];
  const source = () =>
    ({
      async watch({ from }: { from: string }) {
        asked.push(from);
        return {
          is: 'open',
          batches: (async function* () {
            yield [line('8')];
          })(),
        };
      },
    }) as unknown as Source;
  const lost = Promise.withResolvers<StatusError>();
  const feed = new MemberFeed(
    {
      cluster: 'm1',
      source,
      ask: { selection: '', form: 'object' },
      onEvents: () => {
        throw new Error('a bug');
      },
      onProgress: () => {},
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
          yield [line('8')];
          yield [line('9')];
          read.resolve();
        })(),
      }),
    }) as unknown as Source;
  const read = Promise.withResolvers<void>();
  const told: string[] = [];
  const feed: MemberFeed = new MemberFeed(
    {
      cluster: 'm1',
      source,
      ask: { selection: '', form: 'object' },
      onEvents: (lines) => {
        told.push(...lines.map(({ read: { version } }) => version));
        feed.stop();
        read.resolve();
      },
      onProgress: () => {},
      onLost: () => {},
      onFault: () => {},
    },
    '7',
  );
  await read.promise;
  await new Promise(setImmediate);
  expect({ told, position: feed.position }).toEqual({ told: ['8'], position: '8' });
});

it('WATCH-5: a feed that was stopped is not lost as well: another one may have its cluster’s name by then', async () => {
  const source = () =>
    ({
      watch: async () => ({
        is: 'open',
        batches: (async function* () {
          yield [line('8')];
        })(),
      }),
    }) as unknown as Source;
  const fault = Promise.withResolvers<unknown>();
  const lost: StatusError[] = [];
  const feed: MemberFeed = new MemberFeed(
    {
      cluster: 'm1',
      source,
      ask: { selection: '', form: 'object' },
      onEvents: () => {
        feed.stop();
        throw new Error('a bug');
      },
      onProgress: () => {},
      onLost: (error) => lost.push(error),
      onFault: fault.resolve,
    },
    '7',
  );
  expect(await fault.promise).toMatchObject({ cause: new Error('a bug') });
  expect(lost).toEqual([]);
});
