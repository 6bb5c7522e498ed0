/** A hook that cannot be called, or that answers what cannot be used. The text is for users: it names the hook, and no secret of it. */

import type { Hook, Operation } from './hook-model.ts';

/** Few, since they are labels of a metric. */
export type HookFailure =
  | 'configuration'
  | 'refused-address'
  | 'unreachable'
  | 'timeout'
  | 'http-status'
  | 'invalid-answer'
  | 'unsuccessful'
  | 'patch';

export class HookError extends Error {
  /** `configuration/name`. */
  readonly hook: string;
  readonly operation: Operation;
  readonly failure: HookFailure;
  readonly reason: string;

  constructor(hook: Hook, operation: Operation, failure: HookFailure, reason: string) {
    super(
      `webhook "${hook.name}" of ${kindNames[hook.codec]} "${hook.configuration}" failed (${operation}): ${reason}`,
    );
    this.hook = `${hook.configuration}/${hook.name}`;
    this.operation = operation;
    this.failure = failure;
    this.reason = reason;
  }
}

const kindNames = {
  explore: 'ResourceExploringWebhookConfiguration',
  interpret: 'ResourceInterpreterWebhookConfiguration',
} as const;
