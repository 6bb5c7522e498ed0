import { ManualClock, settled } from '@fleet/client/testing/manual-clock.ts';
import { expect, test } from 'vitest';
import { ListGate, type ListSlot } from './list-gate.ts';

const { signal } = new AbortController();

function gateWith(clock = new ManualClock()) {
  const gate = new ListGate({ clock });
  const slots = new Map<string, ListSlot>();
  const enter = (member: string, name = member, until = signal) =>
    gate.enter(member, until).then(
      (slot) => void slots.set(name, slot),
      () => {},
    );
  return { gate, clock, slots, enter, inside: () => [...slots.keys()] };
}

test('CACHE-5: four lists at once per process, in the order in which they came', async () => {
  const { slots, enter, inside } = gateWith();
  for (const member of ['a', 'b', 'c', 'd', 'e', 'f']) enter(member);
  await settled();
  expect(inside()).toEqual(['a', 'b', 'c', 'd']);
  slots.get('b')![Symbol.dispose]();
  await settled();
  expect(inside()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('CACHE-5: one per member, which delays no others', async () => {
  const { slots, enter, inside } = gateWith();
  enter('a');
  enter('a', 'a again');
  enter('b');
  await settled();
  expect(inside()).toEqual(['a', 'b']);
  slots.get('a')![Symbol.dispose]();
  await settled();
  expect(inside()).toEqual(['a', 'b', 'a again']);
});

test('CACHE-5: a member that hangs never delays another: lists without progress do not count', async () => {
  const { clock, slots, enter, inside } = gateWith();
  for (const member of ['a', 'b', 'c', 'd', 'e', 'f']) enter(member);
  enter('a', 'a again');
  await clock.advance(4_000);
  for (const member of ['b', 'c', 'd']) slots.get(member)!.progress();
  await clock.advance(2_000);
  expect(inside()).toEqual(['a', 'b', 'c', 'd', 'e']);
  // It counts no longer: that it ends gives nobody else a turn but its own member.
  slots.get('a')![Symbol.dispose]();
  await settled();
  expect(inside()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('an endless list, page by page, counts for a minute', async () => {
  const { clock, slots, enter, inside } = gateWith();
  for (const member of ['a', 'b', 'c', 'd', 'e']) enter(member);
  await settled();
  const all = [...slots.values()];
  for (let second = 0; second < 58; second++) {
    await clock.advance(1_000);
    for (const slot of all) slot.progress();
  }
  expect(inside()).not.toContain('e');
  for (let second = 0; second < 4; second++) {
    await clock.advance(1_000);
    for (const slot of all) slot.progress();
  }
  expect(inside()).toContain('e');
});

test('a caller that stops waiting leaves the queue, and takes no slot', async () => {
  const { clock, slots, enter, inside } = gateWith();
  for (const member of ['a', 'b', 'c', 'd']) enter(member);
  const leaving = new AbortController();
  enter('e', 'e', leaving.signal);
  enter('f');
  await settled();
  leaving.abort();
  slots.get('a')![Symbol.dispose]();
  await settled();
  expect(inside()).toEqual(['a', 'b', 'c', 'd', 'f']);
  for (const slot of slots.values()) slot[Symbol.dispose]();
  expect(clock.pending).toBe(0);
});
