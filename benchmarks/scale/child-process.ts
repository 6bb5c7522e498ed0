/** One part of a bench as a process of its own: its CPU time and memory are measured apart from the others'. */

import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface ChildProcess<C extends Commands> extends Disposable {
  pid: number;
  call<Name extends keyof C & string>(name: Name, argument: Argument<C, Name>): Promise<Answer<C, Name>>;
}

// biome-ignore lint/suspicious/noExplicitAny: each part has its own.
export type Commands = Record<string, (argument: any) => Promise<unknown>>;
type Argument<C extends Commands, Name extends keyof C> = Parameters<C[Name]>[0];
type Answer<C extends Commands, Name extends keyof C> = Awaited<ReturnType<C[Name]>>;

interface Call {
  number: number;
  name: string;
  argument: unknown;
}

type Reply = { number: number } & ({ answer: unknown } | { error: Error });

/** The file calls `answerParent` with the same commands. */
export function startChildProcess<C extends Commands>(file: string): ChildProcess<C> {
  const child = fork(file, { serialization: 'advanced' });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let number = 0;
  child.on('message', (message: Reply) => {
    const pending = waiting.get(message.number)!;
    waiting.delete(message.number);
    if ('error' in message) pending.reject(message.error);
    else pending.resolve(message.answer);
  });
  once(child, 'exit').then(([code, signal]) => {
    for (const pending of waiting.values()) pending.reject(new Error(`${file} ended (${signal ?? code})`));
  });
  return {
    pid: child.pid!,
    call(name, argument) {
      const pending = Promise.withResolvers<unknown>();
      number += 1;
      waiting.set(number, pending);
      child.send({ number, name, argument } satisfies Call);
      return pending.promise as Promise<Answer<C, typeof name>>;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}

export function answerParent(commands: Commands): void {
  process.on('message', ({ number, name, argument }: Call) => {
    commands[name]!(argument).then(
      (answer) => process.send!({ number, answer }),
      (error: unknown) => process.send!({ number, error }),
    );
  });
  // Its parent has ended, however that was.
  process.on('disconnect', () => process.exit());
}
