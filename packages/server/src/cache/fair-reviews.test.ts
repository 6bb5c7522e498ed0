import { ManualClock } from '@fleet/client/testing/manual-clock.ts';
import type { BytesReply, Headers } from '@fleet/client/upstream.ts';
import { expect, test } from 'vitest';
import { FakeUpstream, replyOf } from '../testing/fake-upstream.ts';
import { MemberPermissions } from './member-permissions.ts';

const everything = { labelSelector: '', fieldSelector: '' };
const pods = { group: '', version: 'v1', resource: 'pods' };
const { signal } = new AbortController();
const as = (name: string): Headers => ({ 'impersonate-user': name });

/** A member 200 ms away that allows Alice everything, by its cloud's IAM, and Mallory nothing. */
function scene() {
  const clock = new ManualClock();
  const upstream = new FakeUpstream(({ headers, signal: given }) => {
    return new Promise<BytesReply>((resolve, reject) => {
      given.addEventListener('abort', () => reject(given.reason as Error), { once: true });
      const allowed = headers['impersonate-user'] === 'alice';
      clock.timer(200, () => resolve(replyOf(201, { status: { allowed, reason: 'IAM' } })));
    });
  });
  const member = { id: 'uid-1', impersonator: upstream, rbac: undefined, canDeny: false, ready: true };
  const permissions = new MemberPermissions({ clock, memberOf: () => member });
  const alice = permissions.of('m1', as('alice'), pods);
  let over = false;
  let number = 0;
  /** Sends refused requests for ever, each for another name. */
  const flood = async (): Promise<void> => {
    while (!over) {
      const named = { ...pods, namespace: `n${number}`, name: `p${number++}` };
      await permissions.of('m1', as('mallory'), named).ask('list', everything, signal);
    }
  };
  const beginFlood = () => Array.from({ length: 400 }, flood);
  const end = () => {
    over = true;
  };
  return { clock, alice, beginFlood, [Symbol.dispose]: end };
}

test('IMP-3: an open watch of one user goes on while another has 400 refused requests in flight', async () => {
  using all = scene();
  const { clock, alice } = all;
  const opening = alice.ask('watch', everything, signal);
  await clock.advance(1_000);
  let lost = 0;
  (await opening)!.onLost(() => lost++);
  all.beginFlood();
  await clock.advance(40_000);
  expect(lost).toBe(0);
}, 60_000);

test('IMP-3: a first request of one user is allowed in a turn of the queue while another has 400 in flight', async () => {
  using all = scene();
  const { clock, alice } = all;
  all.beginFlood();
  await clock.advance(1_000);
  let isAllowed: boolean | undefined;
  alice.ask('list', everything, signal).then((yes) => {
    isAllowed = yes !== undefined;
  });
  await clock.advance(600);
  expect(isAllowed).toBe(true);
}, 60_000);
