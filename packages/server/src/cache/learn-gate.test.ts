import { expect, it } from 'vitest';
import { LearnGate } from './learn-gate.ts';

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('CACHE-5: so many of one member at once, in their order; other members do not wait', async () => {
  const gate = new LearnGate(2);
  const entered: string[] = [];
  const enter = async (member: string, name: string, signal = never) => {
    const slot = await gate.enter(member, signal);
    entered.push(name);
    return slot;
  };
  const [first] = await Promise.all([enter('m1', 'a'), enter('m1', 'b')]);
  const waiting = [enter('m1', 'c'), enter('m1', 'd')];
  await enter('m2', 'other');
  await turn();
  expect(entered).toEqual(['a', 'b', 'other']);
  first[Symbol.dispose]();
  const third = await waiting[0]!;
  await turn();
  expect(entered).toEqual(['a', 'b', 'other', 'c']);
  third[Symbol.dispose]();
  await waiting[1];
  expect(entered.at(-1)).toBe('d');
});

it('who no longer waits takes no turn', async () => {
  const gate = new LearnGate(1);
  const slot = await gate.enter('m1', never);
  const stopping = new AbortController();
  const stopped = gate.enter('m1', stopping.signal);
  const next = gate.enter('m1', never);
  stopping.abort(new Error('over'));
  await expect(stopped).rejects.toThrow('over');
  await expect(gate.enter('m1', stopping.signal)).rejects.toThrow('over');
  slot[Symbol.dispose]();
  (await next)[Symbol.dispose]();
  (await gate.enter('m1', never))[Symbol.dispose]();
});
