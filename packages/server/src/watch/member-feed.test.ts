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
