import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ReplyBody } from './reply-body.ts';
import { perTurn, TurnShare } from './turn-share.ts';

/** A response that sends single bytes as fast as they are read, as long as it may send more. */
function pouring(share: TurnShare, sends: () => boolean) {
  let paused = false;
  let over = false;
  const pour = () => {
    while (!paused && !over && sends()) body.push(Buffer.from('x'));
  };
  const producer = {
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      pour();
    },
    abort: () => {
      over = true;
    },
  };
  const body = new ReplyBody(producer, undefined, share);
  return { body, pour };
}

async function read(body: ReplyBody, onBytes: (bytes: number) => void) {
  for await (const chunk of body) onBytes(chunk.length);
}

describe('TurnShare', () => {
  it('LIMIT-3: a hundred answers that never end take no more of a turn than one may, and each has its part', async () => {
    const share = new TurnShare();
    // A chunk costs 257; each response may add one chunk before it is paused.
    const allowed = perTurn / 257 + 200;
    let inThisTurn = 0;
    let most = 0;
    const got = Array.from({ length: 100 }, () => 0);
    // Without a budget they would be read forever in this same turn.
    const answers = got.map(() => pouring(share, () => ++inThisTurn < 2 * allowed));
    const reading = answers.map(({ body }, index) =>
      read(body, (bytes) => {
        got[index] = (got[index] ?? 0) + bytes;
      }).catch(() => {}),
    );
    for (const { pour } of answers) pour();
    for (let i = 0; i < 200; i++) {
      most = Math.max(most, inThisTurn);
      inThisTurn = 0;
      await turn();
    }
    for (const { body } of answers) body.cancel();
    await Promise.all(reading);
    expect(most).toBeLessThan(allowed);
    expect(Math.min(...got)).toBeGreaterThan(Math.max(...got) / 3);
  });

  it('an answer that ends while it waits is not resumed', async () => {
    const share = new TurnShare();
    let resumed = 0;
    const producer = { pause() {}, resume: () => resumed++, abort() {} };
    const body = new ReplyBody(producer, undefined, share);
    body.push(Buffer.alloc(perTurn));
    body.end();
    await turn();
    expect(body.arrived()).toHaveLength(1);
    expect(resumed).toBe(0);
  });

  it('an answer that waits goes on in the next turn, without anybody reading of others', async () => {
    const share = new TurnShare();
    let resumed = 0;
    const producer = { pause() {}, resume: () => resumed++, abort() {} };
    share.take(perTurn, () => {});
    const body = new ReplyBody(producer, undefined, share);
    body.push(Buffer.from('x'));
    await turn();
    expect(resumed).toBe(1);
  });
});
