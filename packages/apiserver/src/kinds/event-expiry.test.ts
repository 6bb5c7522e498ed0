import { expect, it } from 'vitest';
import { openServer } from '../testing/open-server.ts';
import { startEventExpiry } from './event-expiry.ts';

const events = '/api/v1/namespaces/default/events';
const event = (name: string) => ({
  metadata: { name },
  involvedObject: { kind: 'Pod', name: 'a', namespace: 'default' },
});

it('CP-1: Events are deleted an hour after their last write, and watches see it', async () => {
  const { ask, watch, server } = await openServer();
  const registry = server.resources.find({ group: '', version: 'v1', resource: 'events' })!.registry;
  for (let index = 0; index < 205; index += 1) await ask('POST', events, event(`e${index}`));
  const { resourceVersion } = (await ask('GET', events)).body.metadata!;
  const watched = await watch(`${events}?watch=1&resourceVersion=${resourceVersion}`);
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const hour = 3_600_000;
  let later = hour - 60_000;
  let turns = 0;
  const now = () => {
    turns += 1;
    return Date.now() + later;
  };
  using _ = startEventExpiry(registry, { everyMillis: 5, now, onError });
  await expect.poll(() => turns).toBeGreaterThan(2);
  expect((await ask('GET', events)).body.items).toHaveLength(205);
  later = hour + 60_000;
  expect((await watched.next()).value).toMatchObject({ type: 'DELETED', object: { kind: 'Event' } });
  await expect.poll(async () => (await ask('GET', events)).body.items, { timeout: 20_000 }).toHaveLength(0);
  expect(errors).toEqual([]);
});
