/** Calls the webhooks for an object as the pipeline does, and keeps their raw answers for their authors (EXP-3, EXP-4). */

import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { type AskParts, createAskHooks } from '@fleet/federation/explore/hooks/ask-hooks.ts';
import type { CallHook } from '@fleet/federation/explore/hooks/call-hook.ts';
import type { HookAnswers, HookPatch, HookRequest } from '@fleet/federation/explore/hooks/codec.ts';
import { createExplorer } from '@fleet/federation/explore/hooks/explorer.ts';
import type { FactsOfKind, Hook, Operation } from '@fleet/federation/explore/hooks/hook-model.ts';
import { patchedObject, patchedStatus } from '@fleet/federation/explore/hooks/hook-patch.ts';
import { createHookIndex } from '@fleet/federation/explore/hooks/select-hook.ts';
import { nativeRulesOf } from '@fleet/federation/explore/native/native-rules.ts';

export interface Explored {
  answeredBy:
    | { is: 'webhook'; name: string; configuration: string; seconds: number }
    /** The rule of a kind of Kubernetes, or what holds for every kind. */
    | { is: 'nativeRule' | 'default' };
  answer: unknown;
  /** What a webhook wants to change. */
  patch?: unknown;
  /** Of webhooks that failed, and whose failurePolicy is Ignore. */
  ignored?: string[];
}

export interface Asking {
  hooks: readonly Hook[];
  call: CallHook;
  factsOf: FactsOfKind;
  /** Called with each answer as it came, before it is checked. */
  onAnswer(body: string): void;
}

export async function explore(asking: Asking, request: HookRequest): Promise<Explored> {
  const ignored: string[] = [];
  let answered: { hook: Hook; seconds: number } | undefined;
  const index = createHookIndex(asking.hooks);
  const parts: AskParts = {
    hooks: () => index,
    factsOf: asking.factsOf,
    async call(hook, operation, body, signal) {
      const answer = await asking.call(hook, operation, body, signal);
      asking.onAnswer(answer.toString());
      return answer;
    },
    onCall(hook, _operation, seconds, outcome) {
      if (outcome === 'success') answered = { hook, seconds };
    },
    onIgnored: (_object, error) => void ignored.push(error.message),
  };
  const asked = await createAskHooks(parts)(request, undefined, (answer) => answerOf(request, answer));
  const more = ignored.length > 0 ? { ignored } : {};
  switch (asked.is) {
    case 'answered': {
      const { hook, seconds } = answered!;
      const answeredBy = { is: 'webhook', name: hook.name, configuration: hook.configuration, seconds } as const;
      return { answeredBy, ...asked.value, ...more };
    }
    // Nobody knows what the member owns then, so nothing is written (EXP-5).
    case 'ignored':
      if (request.operation === 'retaining') return { answeredBy: { is: 'default' }, answer: null, ...more };
      return { ...(await withoutHooks(asking, request)), ...more };
    case 'unasked':
      return withoutHooks(asking, request);
    default:
      return asked satisfies never;
  }
}

/** What the pipeline makes of an answer. */
function answerOf(
  { operation, object }: HookRequest,
  answer: HookAnswers[Operation],
): Pick<Explored, 'answer' | 'patch'> {
  switch (operation) {
    case 'packing':
    case 'revising':
    case 'retaining':
      return patched(answer as HookPatch, patchedObject(object, answer as HookPatch));
    case 'aggregating':
      return patched(answer as HookPatch, patchedStatus(object, answer as HookPatch));
    case 'healthy':
      return { answer: answer ? 'Healthy' : 'Unhealthy' };
    case 'replica':
    case 'status':
    case 'dependencies':
      return { answer };
    default:
      return operation satisfies never;
  }
}

const patched = (patch: HookPatch, answer: AnyObject) => ({ answer, patch: patch?.operations ?? [] });

async function withoutHooks({ factsOf }: Asking, request: HookRequest): Promise<Explored> {
  const { object } = request;
  const none = createHookIndex([]);
  const call = () => Promise.reject(new Error('there are no webhooks'));
  const explorer = createExplorer({ hooks: () => none, native: nativeRulesOf, call, factsOf });
  const answeredBy = { is: nativeRulesOf(object.apiVersion, object.kind) ? 'nativeRule' : 'default' } as const;
  const answer = async (): Promise<unknown> => {
    switch (request.operation) {
      case 'replica':
        return explorer.replicas(object);
      case 'status':
        return explorer.reflect(object);
      case 'packing':
        return explorer.pack(object);
      case 'revising':
        return explorer.revise(object, request.replicas);
      case 'retaining':
        return explorer.retain(object, request.observed);
      case 'aggregating':
        return explorer.aggregate(object, request.items);
      case 'healthy':
        return explorer.health(object);
      case 'dependencies':
        return explorer.dependencies(object);
      default:
        return request satisfies never;
    }
  };
  return { answeredBy, answer: (await answer()) ?? null };
}
