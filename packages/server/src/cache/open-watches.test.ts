import { ManualClock } from '@fleet/client/testing/manual-clock.ts';
import { expect, test } from 'vitest';
import { OpenWatches, type Renewal } from './open-watches.ts';

function held(renewals: () => Renewal) {
  const clock = new ManualClock();
  const watches = new OpenWatches({ clock });
  const begun = clock.now();
  const ended: { lostAfter?: number } = {};
  watches.hold(
    'alice',
    'm1',
    0,
    async () => renewals(),
    () => {
      ended.lostAfter = clock.now() - begun;
    },
  );
  return { clock, ended };
}

test('IMP-3: a watch whose member could not be asked, as our own queue was full, asks again and goes on', async () => {
  let asked = 0;
  const { clock, ended } = held(() => (++asked % 10 === 0 ? { is: 'yes', again: 1_000 } : { is: 'busy' }));
  await clock.advance(120_000);
  expect(ended.lostAfter).toBeUndefined();
  expect(asked).toBeGreaterThan(100);
});

test('IMP-3: without a yes for half a minute it ends, whoever is to blame', async () => {
  const { clock, ended } = held(() => ({ is: 'busy' }));
  await clock.advance(120_000);
  expect(ended.lostAfter).toBe(30_000);
});

test('IMP-3: a no ends it at once, and a member that gives no answer after some tries', async () => {
  const refused = held(() => ({ is: 'no' }));
  await refused.clock.advance(120_000);
  expect(refused.ended.lostAfter).toBe(0);
  const unknown = held(() => ({ is: 'unknown' }));
  await unknown.clock.advance(120_000);
  expect(unknown.ended.lostAfter).toBe(7_000);
});
