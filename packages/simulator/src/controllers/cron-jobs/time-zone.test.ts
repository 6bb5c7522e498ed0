import { expect, onTestFinished, test, vi } from 'vitest';
import { wallTime, zonedText } from './time-zone.ts';

const noon = Date.UTC(2026, 10, 17, 12);

test('a wall clock is that of its zone', () => {
  expect(wallTime(noon, 'America/New_York')).toEqual({
    year: 2026,
    month: 11,
    day: 17,
    hour: 7,
    minute: 0,
    weekday: 2,
  });
  expect(zonedText(noon, 'Asia/Kolkata')).toBe('2026-11-17T17:30:00+05:30');
});

test('few formatters are kept, those that were used last', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  onTestFinished(() => made.mockRestore());
  const cased = (number: number): string =>
    Array.from('berlin', (letter, at) => (number & (1 << at) ? letter.toUpperCase() : letter)).join('');
  const names = Array.from(
    { length: 100 },
    (_, number) => `${number < 50 ? 'europe' : 'EUROPE'}/${cased(number % 50)}`,
  );
  for (const name of names) expect(wallTime(noon, name).hour).toBe(13);
  const before = made.mock.calls.length;
  for (const name of names.slice(-50)) wallTime(noon, name);
  expect(made.mock.calls.length).toBe(before);
  wallTime(noon, names[0]!);
  expect(made.mock.calls.length).toBe(before + 1);
});
