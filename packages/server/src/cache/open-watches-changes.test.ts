import { ManualClock, settled } from '@fleet/client/testing/manual-clock.ts';
import { expect, test } from 'vitest';
import { OpenWatches, type Renewal } from './open-watches.ts';

test('IMP-3: a change of permissions while a review is in flight is asked about once that has been answered', async () => {
  const clock = new ManualClock();
  using watches = new OpenWatches({ clock });
  const reviews: PromiseWithResolvers<Renewal>[] = [];
  let isLost = false;
  const renew = (): Promise<Renewal> => {
    const review = Promise.withResolvers<Renewal>();
    reviews.push(review);
    return review.promise;
  };
  watches.hold('alice', 'm1', 1_000, renew, () => {
    isLost = true;
  });
  await clock.advance(1_000);
  watches.memberChanged('m1');
  expect(reviews).toHaveLength(1);
  // As it was before the change.
  reviews[0]!.resolve({ is: 'yes', again: 300_000 });
  await settled();
  expect(reviews).toHaveLength(2);
  reviews[1]!.resolve({ is: 'no' });
  await settled();
  expect(isLost).toBe(true);
});
