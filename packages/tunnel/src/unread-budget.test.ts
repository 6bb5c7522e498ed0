import { expect, test } from 'vitest';
import { UnreadBudget } from './unread-budget.ts';

function streamIn(budget: UnreadBudget) {
  const stream = {
    unread: 0,
    isCut: false,
    hold(bytes: number) {
      stream.unread += bytes;
      budget.change(bytes);
    },
    cut() {
      stream.isCut = true;
      budget.leave(stream);
      budget.change(-stream.unread);
      stream.unread = 0;
    },
  };
  budget.enter(stream);
  return stream;
}

test('AGENT-7: if too much is unread in total, the stream that holds most is cut', () => {
  const budget = new UnreadBudget(100, 10);
  const [small, large, other] = [streamIn(budget), streamIn(budget), streamIn(budget)];
  small.hold(20);
  large.hold(60);
  other.hold(20);
  expect(large.isCut).toBe(false);
  small.hold(1);
  expect([small, large, other].map(({ isCut }) => isCut)).toEqual([false, true, false]);
  expect(budget.total).toBe(41);
});

test('AGENT-7: channels are counted until they are closed, each once', () => {
  const budget = new UnreadBudget(100, 2);
  const first = budget.takeChannel();
  expect(budget.takeChannel()).toBeDefined();
  expect(budget.takeChannel()).toBeUndefined();
  first?.[Symbol.dispose]();
  first?.[Symbol.dispose]();
  expect(budget.open).toBe(1);
});
