/** Authorization for worker threads: they ask the main thread, which has the RBAC cache. */

import type { MessagePort } from 'node:worker_threads';
import { type Status, StatusError } from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import type { Attributes, Decision } from '../rbac/attributes.ts';
import type { Found, Permissions } from '../rbac/escalation.ts';

type Question = { id: number } & (
  | { ask: 'decide'; user: User; attributes: Attributes }
  | { ask: 'rules'; user: User; namespace: string }
);

type Answer = { id: number } & (
  | { answer: Decision | Found[] }
  | { refused: Status }
  /** An error that clients do not see. */
  | { failed: string }
);

type Known = Pick<Permissions, 'decide' | 'rulesFor'>;

export function servePermissions(permissions: Known, port: MessagePort): void {
  const answerTo = async (question: Question): Promise<Decision | Found[]> =>
    question.ask === 'decide'
      ? await permissions.decide(question.user, question.attributes)
      : [...(await permissions.rulesFor(question.user, question.namespace))];
  port.on('message', async (question: Question) => {
    const { id } = question;
    const answer = await answerTo(question).then(
      (found): Answer => ({ id, answer: found }),
      (thrown: unknown): Answer =>
        thrown instanceof StatusError ? { id, refused: thrown.toStatus() } : { id, failed: String(thrown) },
    );
    port.postMessage(answer);
  });
  port.unref();
}

export function remotePermissions(port: MessagePort): Known {
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  port.on('message', (answer: Answer) => {
    const waiting = asked.get(answer.id);
    asked.delete(answer.id);
    if ('answer' in answer) waiting?.resolve(answer.answer);
    else waiting?.reject('refused' in answer ? errorOf(answer.refused) : new Error(answer.failed));
  });
  const ask = <Given>(question: (id: number) => Question): Promise<Given> => {
    lastId += 1;
    const waiting = Promise.withResolvers<unknown>();
    asked.set(lastId, waiting);
    port.postMessage(question(lastId));
    return waiting.promise as Promise<Given>;
  };
  return {
    decide: (user, attributes) => ask((id) => ({ id, ask: 'decide', user, attributes })),
    rulesFor: (user, namespace) => ask((id) => ({ id, ask: 'rules', user, namespace })),
  };
}

const errorOf = ({ code, reason = '', message, details }: Status): StatusError =>
  new StatusError(code, reason, message, details);
