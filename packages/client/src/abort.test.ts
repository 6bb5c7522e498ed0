import { describe, expect, it } from 'vitest';
import { abortingWith } from './abort.ts';

describe('abortingWith', () => {
  it('aborts with its parent, with the same reason', () => {
    const parent = new AbortController();
    const child = abortingWith(parent.signal);
    expect(child.signal.aborted).toBe(false);
    const reason = new Error('gone');
    parent.abort(reason);
    expect(child.signal.reason).toBe(reason);
  });

  it('is aborted from the start if the parent is', () => {
    const reason = new Error('gone');
    expect(abortingWith(AbortSignal.abort(reason)).signal.reason).toBe(reason);
  });

  it('does not abort its parent', () => {
    const parent = new AbortController();
    abortingWith(parent.signal).abort();
    expect(parent.signal.aborted).toBe(false);
  });
});
