import type { StatusError } from '@fleet/kube/status.ts';
import { expect, it, vi } from 'vitest';
import { readSelection } from '../merge/selection.ts';
import type { Source, SourceBatch } from '../merge/source.ts';
import { MemberFeed } from './member-feed.ts';

const progress: SourceBatch = { events: [], position: '8', resumable: true };

/** A cached stream that is open until `end`, and then ends, or breaks off with that error. */
function scene() {
  const end = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<StatusError>();
  const isOpen = Promise.withResolvers<void>();
  const watch = vi.fn(async () => ({
    is: 'open' as const,
    isCached: true,
    batches: (async function* () {
      yield progress;
      await end.promise;
    })(),
  }));
  const feed = new MemberFeed(
    {
      cluster: 'm1',
      source: () => ({ watch }) as unknown as Source,
      server: () => undefined,
      ask: { selection: readSelection('', new Set()), form: 'object' },
      onEvents: () => {},
      onGap: () => {},
      onProgress: () => {},
      onGoodbye: () => lost.reject(new Error('no goodbye was expected')),
      onCached: () => isOpen.resolve(),
      onLost: lost.resolve,
      onFault: lost.reject,
    },
    '7',
  );
  return { feed, watch, end, lost: lost.promise, isOpen: isOpen.promise };
}

it.each<[string, Error | undefined]>([
  ['ends', undefined],
  ['breaks off', new Error('connection reset')],
])(
  'WATCH-5: the stream of a removed member that %s before its goodbye is 410, and not opened again',
  async (_, error) => {
    const { feed, watch, end, lost, isOpen } = scene();
    await isOpen;
    expect(feed.leave()).toBe(true);
    if (error) end.reject(error);
    else end.resolve();
    expect(await lost).toMatchObject({ code: 410 });
    expect(watch).toHaveBeenCalledTimes(1);
    feed.stop();
  },
);
