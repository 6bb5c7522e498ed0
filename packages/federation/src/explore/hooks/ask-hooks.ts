/** Asks the hooks that match for one answer, and decides what a failure means by their failurePolicy (EXP-5). */

import { randomUUID } from 'node:crypto';
import { AnswerError } from './answer-fields.ts';
import type { CallHook } from './call-hook.ts';
import { decodeAnswer, encodeRequest, type HookAnswers, type HookRequest } from './codec.ts';
import { HookError, type HookFailure } from './hook-error.ts';
import type { FactsOfKind, Hook, Operation } from './hook-model.ts';
import { UnsuccessfulError } from './interpret-codec.ts';
import { PatchError } from './json-patch.ts';
import type { HookIndex } from './select-hook.ts';

export type CallOutcome = 'success' | HookFailure;

/** For metrics: called once for each call of a hook, unless the caller has aborted it. */
export type OnCall = (hook: Hook, operation: Operation, seconds: number, outcome: CallOutcome) => void;

/** For events: an error that nobody is going to see thrown. */
export type OnIgnored = (object: HookRequest['object'], error: HookError) => void;

export interface AskParts {
  hooks(): HookIndex;
  call: CallHook;
  factsOf: FactsOfKind;
  onCall?: OnCall;
  onIgnored?: OnIgnored;
}

export type AskResult<Value> = { is: 'answered'; value: Value } | { is: 'ignored' } | { is: 'unasked' };

/** `use` makes of an answer what is needed; what it throws is the hook's failure, too. */
export type AskHooks = <Of extends Operation, Value>(
  request: HookRequest & { operation: Of },
  signal: AbortSignal | undefined,
  use: (answer: HookAnswers[Of]) => Value,
) => Promise<AskResult<Value>>;

export function createAskHooks(parts: AskParts): AskHooks {
  const { hooks, factsOf, onIgnored } = parts;
  return async (request, signal, use) => {
    const { object, operation } = request;
    const facts = factsOf(object);
    let wasIgnored = false;
    for (const hook of hooks().matching(operation, { apiVersion: object.apiVersion, kind: object.kind, facts })) {
      try {
        return { is: 'answered', value: await askOne(parts, hook, request, signal, use) };
      } catch (error) {
        if (!(error instanceof HookError) || hook.failurePolicy !== 'Ignore') throw error;
        onIgnored?.(object, error);
        wasIgnored = true;
        // Another hook, or nobody, would decide over what the member owns.
        if (operation === 'retaining') break;
      }
    }
    return wasIgnored ? { is: 'ignored' } : { is: 'unasked' };
  };
}

async function askOne<Of extends Operation, Value>(
  { call, factsOf, onCall }: AskParts,
  hook: Hook,
  request: HookRequest & { operation: Of },
  signal: AbortSignal | undefined,
  use: (answer: HookAnswers[Of]) => Value,
): Promise<Value> {
  const { operation } = request;
  const started = performance.now();
  const report = (outcome: CallOutcome) => onCall?.(hook, operation, (performance.now() - started) / 1000, outcome);
  try {
    const { version } = hook;
    if (version === undefined) {
      throw new HookError(hook, operation, 'configuration', 'it accepts no known version of the review (v1alpha1)');
    }
    const uid = randomUUID();
    const body = encodeRequest(hook, version, uid, request);
    if (!body) throw new HookError(hook, operation, 'configuration', 'its kind of review has no such operation');
    const answer = await call(hook, operation, body, signal);
    const value = use(decodeAnswer(hook, { operation, version, uid }, answer, factsOf));
    report('success');
    return value;
  } catch (error) {
    // A call that the caller has aborted is no failure of the hook.
    if (signal?.aborted) throw error;
    const failure = hookErrorOf(hook, operation, error);
    report(failure instanceof HookError ? failure.failure : 'invalid-answer');
    throw failure;
  }
}

function hookErrorOf(hook: Hook, operation: Operation, error: unknown): unknown {
  if (error instanceof AnswerError) return new HookError(hook, operation, 'invalid-answer', error.message);
  if (error instanceof UnsuccessfulError) return new HookError(hook, operation, 'unsuccessful', error.message);
  if (error instanceof PatchError) return new HookError(hook, operation, 'patch', error.message);
  return error;
}
