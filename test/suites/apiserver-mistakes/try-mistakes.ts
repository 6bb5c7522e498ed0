/** Makes mistakes at a server, and reports where it answers otherwise than recorded. */

import { isDeepStrictEqual } from 'node:util';
import { type Mistake, mistakesOf } from './mistake.ts';
import { allMistakes } from './mistakes/all.ts';
import { type Answers, type Recorded, recordable } from './recorded.ts';
import { askServer, type Send } from './served-rules.ts';

export const namespace = 'mistakes';

export const mistakes: readonly Mistake[] = mistakesOf(allMistakes);

/** In a namespace that has a ServiceAccount `default`. */
export async function tryMistakes(send: Send, tried: readonly Mistake[]): Promise<Answers> {
  const answers = new Map<string, Recorded>();
  for (const { name, request } of tried) {
    const answer = await askServer(send, { ...request, namespace }).catch((error: Error) => error);
    const refused = 'status' in answer && answer.status ? recordable(answer.status) : undefined;
    answers.set(name, refused ?? (answer instanceof Error ? answer.message : 'accepted'));
  }
  return answers;
}

export function disagreements(answers: Answers, recorded: Answers): string[] {
  const text = (answer: Recorded | undefined) => {
    if (typeof answer !== 'object') return String(answer);
    const causes = (answer.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
    return [answer.code, answer.reason, answer.message ?? '', ...(causes.length > 1 ? causes : [])].join(' | ');
  };
  return [...answers].flatMap(([name, answer]) => {
    const expected = recorded.get(name);
    if (isDeepStrictEqual(answer, expected)) return [];
    return [`${name}\n    kube-apiserver: ${text(expected)}\n    embedded:       ${text(answer)}`];
  });
}
