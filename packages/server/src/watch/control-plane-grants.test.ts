import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ControlPlaneGrants } from './control-plane-grants.ts';

interface Question {
  answer(clusters: string[]): void;
  fail(error: Error): void;
}

let grants: ControlPlaneGrants;
let questions: Question[];
let received: { clusters: string[]; isWhole: boolean }[];
let faults: unknown[];

beforeEach(() => {
  vi.useFakeTimers();
  [questions, received, faults] = [[], [], []];
  grants = new ControlPlaneGrants({
    ask: () => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      questions.push({ answer: resolve, fail: reject });
      return promise;
    },
    onAnswer: (clusters, isWhole) => received.push({ clusters: [...clusters], isWhole }),
    onFault: (error) => faults.push(error),
  });
});

afterEach(() => {
  grants.stop();
  vi.useRealTimers();
});

const tick = () => vi.advanceTimersByTimeAsync(0);

describe('AUTHZ-2: the control plane is asked which clusters a stream may keep', () => {
  it('a question that hangs is asked again: what was revoked is known within 10 s all the same', async () => {
    grants.start();
    // What is kept may be two seconds old: a question within these may still be answered as it was before.
    await vi.advanceTimersByTimeAsync(10_000 - 2_000);
    expect(questions.length).toBeGreaterThan(1);
    questions.at(-1)!.answer(['m1']);
    await tick();
    expect(received).toEqual([{ clusters: ['m1'], isWhole: true }]);
    expect(faults).toEqual([]);
  });

  it('an answer that took long counts, unless a newer one has come before it', async () => {
    grants.refresh();
    await vi.advanceTimersByTimeAsync(2_500);
    questions[0]!.answer(['m1', 'm2']);
    await tick();
    questions[1]!.answer(['m1']);
    await tick();
    expect(received.map(({ clusters }) => clusters)).toEqual([['m1', 'm2'], ['m1']]);
    grants.refresh();
    await vi.advanceTimersByTimeAsync(2_500);
    questions[3]!.answer(['m1']);
    await tick();
    questions[2]!.answer(['m1', 'm2']);
    await tick();
    expect(received.slice(2).map(({ clusters }) => clusters)).toEqual([['m1']]);
  });

  it('a control plane that hangs for long is asked less and less often', async () => {
    grants.refresh();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(questions.length).toBeLessThan(6);
    questions.at(-1)!.answer(['m1']);
    await tick();
    expect(received).toHaveLength(1);
    grants.refresh();
    const before = questions.length;
    await vi.advanceTimersByTimeAsync(2_500);
    expect(questions).toHaveLength(before + 1);
  });

  it('a question that fails late is no fault where a later one was answered', async () => {
    grants.refresh();
    await vi.advanceTimersByTimeAsync(2_500);
    questions[1]!.answer(['m1']);
    questions[0]!.fail(new Error('timed out'));
    await tick();
    expect({ received, faults }).toEqual({ received: [{ clusters: ['m1'], isWhole: true }], faults: [] });
  });

  it('WATCH-5: no answer to a question from before a cluster left speaks of it, also where several are under way', async () => {
    grants.refresh();
    await vi.advanceTimersByTimeAsync(2_500);
    grants.without('m2');
    questions[0]!.answer(['m1', 'm2']);
    await tick();
    questions[1]!.answer(['m1', 'm2']);
    await tick();
    questions[2]!.answer(['m1', 'm2']);
    await tick();
    expect(received).toEqual([
      { clusters: ['m1'], isWhole: false },
      { clusters: ['m1'], isWhole: false },
      { clusters: ['m1', 'm2'], isWhole: true },
    ]);
  });

  it('failures are logged once, until an answer comes again', async () => {
    for (const error of [new Error('one'), new Error('two')]) {
      grants.refresh();
      questions.at(-1)!.fail(error);
      await tick();
    }
    expect(faults).toEqual([new Error('one')]);
    grants.refresh();
    questions.at(-1)!.answer([]);
    await tick();
    grants.refresh();
    questions.at(-1)!.fail(new Error('three'));
    await tick();
    expect(faults).toEqual([new Error('one'), new Error('three')]);
  });
});
