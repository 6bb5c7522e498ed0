import { afterEach, describe, expect, test, vi } from 'vitest';
import { interruption } from './interruption.ts';

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
    expect(exit).toHaveBeenCalledWith(1);
  });

  test('the same one, told by the terminal and once more by npm, does not keep it from undoing', () => {
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

  test('nothing listens once it is over', () => {
    const before = process.listenerCount('SIGINT');
    interruption()[Symbol.dispose]();
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});
