import { describe, expect, test } from 'vitest';
import type { WatchEvent } from './event.ts';
import { EventLog } from './event-log.ts';

const limits = { events: 100, bytes: 10_000 };
const anybody = () => true;
const eventOf = (cluster: string, version: string, position = version): WatchEvent => ({
  cluster,
  version,
  position,
  bytes: Buffer.from(`${cluster}@${version}\n`),
});
const received = (events: readonly WatchEvent[]) => events.map(({ bytes }) => bytes.toString().trim());

describe('RV-6: what came after a position', () => {
  test('in the order in which it was sent, of those clusters alone', () => {
    const log = new EventLog(limits);
    log.begin('m1', '10');
    log.begin('m2', '500');
    log.append([eventOf('m1', '11'), eventOf('m2', '501'), eventOf('m1', '12')], true);
    expect(
      received(
        log.after(
          new Map([
            ['m1', '11'],
            ['m2', '500'],
          ]),
        ),
      ),
    ).toEqual(['m2@501', 'm1@12']);
    expect(received(log.after(new Map([['m1', '10']])))).toEqual(['m1@11', 'm1@12']);
  });

  test('what somebody skipped is no position any more', () => {
    const log = new EventLog(limits);
    log.begin('m1', '10');
    log.begin('m2', '500');
    log.append([eventOf('m1', '11'), eventOf('m2', '501'), eventOf('m1', '12')], true);
    // Whoever has seen m2@501 without m1@11 is sent m1@11 after it.
    log.after(
      new Map([
        ['m1', '10'],
        ['m2', '501'],
      ]),
    );
    expect(log.resumeAt('11', anybody)).toBeUndefined();
    expect(log.resumeAt('12', anybody)).toEqual(
      new Map([
        ['m1', '12'],
        ['m2', '501'],
      ]),
    );
  });

  test('a cluster that came later stands in it from there on', () => {
    const log = new EventLog(limits);
    log.begin('m1', '10');
    log.append([eventOf('m1', '11')], true);
    log.begin('m2', '500');
    log.append([eventOf('m1', '12')], true);
    expect(log.resumeAt('11', anybody)).toEqual(new Map([['m1', '11']]));
    expect(log.resumeAt('12', anybody)).toEqual(
      new Map([
        ['m1', '12'],
        ['m2', '500'],
      ]),
    );
  });
});

describe('a cluster that leaves', () => {
  test('WATCH-5: takes its events along: after it has come back, nothing of its first time is sent', () => {
    const log = new EventLog(limits);
    log.begin('m1', '10');
    log.begin('m2', '500');
    log.append([eventOf('m2', '501'), eventOf('m1', '11'), eventOf('m2', '502')], true);
    log.forget('m2');
    // Another cluster of that name, or the same one: its objects are listed, and events begin behind them.
    log.begin('m2', '3');
    log.append([eventOf('m2', '4')], true);
    expect(received(log.after(new Map([['m2', '3']])))).toEqual(['m2@4']);
    expect(received(log.after(new Map([['m1', '10']])))).toEqual(['m1@11']);
  });

  test('its versions are no positions any more', () => {
    const log = new EventLog(limits);
    log.begin('m1', '10');
    log.begin('m2', '500');
    log.append([eventOf('m2', '501')], true);
    log.forget('m2');
    log.begin('m2', '500');
    expect(log.resumeAt('501', anybody)).toBeUndefined();
  });

  test('gives its bytes back, and numbers stay what they were', () => {
    const log = new EventLog({ events: 100, bytes: 22 });
    log.begin('m1', '10');
    log.begin('m2', '500');
    log.append([eventOf('m1', '11'), eventOf('m2', '501'), eventOf('m2', '502')], true);
    expect(log.covers('m1', '10')).toBe(true);
    const last = eventOf('m1', '12');
    log.forget('m2');
    log.append([last], true);
    expect(log.end).toBe(4);
    expect(log.numberOf([last])).toBe(3);
    expect(log.covers('m1', '10')).toBe(true);
    expect(received(log.after(new Map([['m1', '10']])))).toEqual(['m1@11', 'm1@12']);
  });
});

test('WATCH-4: a client that resumes costs events plus clusters, not their product', () => {
  const log = new EventLog({ events: 4_000, bytes: 10_000_000 });
  const clusters = Array.from({ length: 400 }, (_, n) => `m${n}`);
  let reads = 0;
  const counted = new Map(clusters.map((cluster) => [cluster, '0']));
  for (const cluster of clusters) log.begin(cluster, '0');
  log.append(
    Array.from({ length: 4_000 }, (_, n) => eventOf(clusters[n % 400]!, String(n + 1))),
    true,
  );
  counted[Symbol.iterator] = function* () {
    for (const entry of Map.prototype.entries.call(counted)) {
      reads++;
      yield entry as [string, string];
    }
    return undefined;
  };
  expect(log.after(counted)).toHaveLength(4_000);
  expect(reads).toBeLessThan(4_000);
});

describe('WATCH-6: a difference, whose objects have old versions,', () => {
  const log = new EventLog(limits);
  log.begin('m1', '5');
  log.append([eventOf('m1', '6')], true);
  log.append([eventOf('m1', '2', '9'), eventOf('m1', '4', '9')], false);

  test('comes whole to whoever stood before it, and not at all to whoever stands behind it', () => {
    expect(received(log.after(new Map([['m1', '6']])))).toEqual(['m1@2', 'm1@4']);
    expect(received(log.after(new Map([['m1', '9']])))).toEqual([]);
  });

  test('its versions are no positions', () => {
    expect(log.resumeAt('4', anybody)).toBeUndefined();
    expect(log.resumeAt('6', anybody)).toEqual(new Map([['m1', '6']]));
  });

  test('who comes behind it in another cluster stands behind it here', () => {
    const both = new EventLog(limits);
    both.begin('m1', '5');
    both.begin('m2', '1');
    both.append([eventOf('m1', '2', '9')], false);
    both.append([eventOf('m2', '3')], true);
    expect(both.resumeAt('3', anybody)).toEqual(
      new Map([
        ['m1', '9'],
        ['m2', '3'],
      ]),
    );
  });

  test('once it is dropped, nobody resumes from before it', () => {
    const short = new EventLog({ events: 1, bytes: 10_000 });
    short.begin('m1', '5');
    short.append([eventOf('m1', '2', '9'), eventOf('m1', '10')], true);
    expect(short.covers('m1', '6')).toBe(false);
    expect(short.covers('m1', '9')).toBe(true);
  });
});
