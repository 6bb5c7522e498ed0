import { afterEach, describe, expect, test, vi } from 'vitest';
import { exitCodeOf } from './errors.ts';
import { endingSignals, interruption } from './interruption.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('Ctrl-C', () => {
  test('the first one interrupts, one much later ends the process', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const exit = vi.fn();
    using interrupted = interruption(exit);
    process.emit('SIGINT');
    expect(interrupted.signal.reason).toMatchObject({ message: 'interrupted' });
    vi.advanceTimersByTime(1_500);
    expect(exit).not.toHaveBeenCalled();
    process.emit('SIGINT');
    expect(exit).toHaveBeenCalledWith(130);
  });

  test('one Ctrl-C, delivered by the terminal and again by npm, does not stop the undo', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const exit = vi.fn();
    using interrupted = interruption(exit);
    process.emit('SIGINT');
    vi.advanceTimersByTime(20);
    process.emit('SIGINT');
    process.emit('SIGTERM');
    expect(interrupted.signal.aborted).toBe(true);
    expect(exit).not.toHaveBeenCalled();
  });

  test('a terminal that is closed interrupts as Ctrl-C does', () => {
    using interrupted = interruption();
    process.emit('SIGHUP');
    expect(interrupted.signal.aborted).toBe(true);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('the exit code after %s is that of a process that it ends', (name, code) => {
    using interrupted = interruption();
    process.emit(name);
    expect(exitCodeOf(interrupted.signal.reason)).toBe(code);
    expect(exitCodeOf(new Error('the member', { cause: interrupted.signal.reason }))).toBe(code);
  });

  test('nothing listens once it is over', () => {
    const listeners = () => endingSignals.map((name) => process.listenerCount(name));
    const before = listeners();
    interruption()[Symbol.dispose]();
    expect(listeners()).toEqual(before);
  });
});
