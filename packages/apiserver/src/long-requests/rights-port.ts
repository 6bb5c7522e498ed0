/** Who may do what is known on the main thread; others ask it. */

import type { MessagePort } from 'node:worker_threads';
import type { User } from '../authn/user.ts';
import type { Attributes, Decision } from '../rbac/attributes.ts';
import type { Found, Rights } from '../rbac/escalation.ts';

type Question = { id: number } & (
  | { ask: 'decide'; user: User; attributes: Attributes }
  | { ask: 'rules'; user: User; namespace: string }
);

interface Answer {
  id: number;
  answer: Decision | Found[];
}

type Known = Pick<Rights, 'decide' | 'rulesFor'>;

export function serveRights(rights: Known, port: MessagePort): void {
  port.on('message', async (question: Question) => {
    const { id, user } = question;
    const answer =
      question.ask === 'decide'
        ? await rights.decide(user, question.attributes)
        : [...(await rights.rulesFor(user, question.namespace))];
    port.postMessage({ id, answer } satisfies Answer);
  });
  port.unref();
}

export function remoteRights(port: MessagePort): Known {
  const asked = new Map<number, (answer: unknown) => void>();
  let lastId = 0;
  port.on('message', ({ id, answer }: Answer) => {
    asked.get(id)?.(answer);
    asked.delete(id);
  });
  const ask = <Given>(question: (id: number) => Question): Promise<Given> => {
    lastId += 1;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    asked.set(lastId, resolve);
    port.postMessage(question(lastId));
    return promise as Promise<Given>;
  };
  return {
    decide: (user, attributes) => ask((id) => ({ id, ask: 'decide', user, attributes })),
    rulesFor: (user, namespace) => ask((id) => ({ id, ask: 'rules', user, namespace })),
  };
}
