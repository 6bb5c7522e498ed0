/** Sends requests to hooks over HTTPS (EXP-4, EXP-5): one pool of connections for each server, time and size bounded. */

import { type CanDial, notLinkLocal } from '@fleet/client/address-check.ts';
import { type Clock, deadlineOf, machineClock } from '@fleet/client/clock.ts';
import { type BytesReply, UnreachableError } from '@fleet/client/upstream.ts';
import { TooLargeError } from '@fleet/kube/growing-bytes.ts';
import { HookError } from './hook-error.ts';
import type { Hook, Operation } from './hook-model.ts';
import { createHookPools, type HookPool } from './hook-pools.ts';
import { type HookTarget, type ResolveService, targetOf } from './hook-target.ts';
import { networkFailure } from './network-failure.ts';

/** The bytes of a successful answer. Throws HookError, or the reason of the signal. */
export type CallHook = (hook: Hook, operation: Operation, body: Buffer, signal?: AbortSignal) => Promise<Buffer>;

export interface HookCalls extends AsyncDisposable {
  call: CallHook;
}

export interface HookCallOptions {
  resolveService: ResolveService;
  /** All but link-local addresses and metadata services, where nothing is given. */
  canDial?: CanDial;
  clock?: Clock;
}

/** LIMIT-1. */
const largestAnswer = 3 * 1024 * 1024;

export function createHookCalls(options: HookCallOptions): HookCalls {
  const { resolveService, canDial = notLinkLocal([]), clock = machineClock } = options;
  const pools = createHookPools(canDial, clock);
  return {
    async call(hook, operation, body, signal = never) {
      signal.throwIfAborted();
      using deadline = deadlineOf(clock, hook.timeoutSeconds * 1000, signal);
      try {
        const target = await beforeAbort(targetOf(hook, operation, resolveService), deadline.signal);
        using pool = 'upstream' in target ? { upstream: target.upstream, [Symbol.dispose]() {} } : pools.of(target);
        return await exchange(hook, operation, { pool, target, body, signal: deadline.signal });
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.isOver)
          throw new HookError(hook, operation, 'timeout', `no answer within ${hook.timeoutSeconds} s`);
        if (error instanceof HookError) throw error;
        const { failure, reason } = networkFailure(error);
        throw new HookError(hook, operation, failure, reason);
      }
    },
    [Symbol.asyncDispose]: () => pools[Symbol.asyncDispose](),
  };
}

const never = new AbortController().signal;

interface Exchange {
  pool: HookPool;
  target: HookTarget;
  body: Buffer;
  signal: AbortSignal;
}

async function exchange(hook: Hook, operation: Operation, parts: Exchange): Promise<Buffer> {
  const { status, headers, body } = await send(parts);
  const fail = (failure: 'http-status' | 'invalid-answer', reason: string): HookError => {
    body.cancel();
    return new HookError(hook, operation, failure, reason);
  };
  if (status >= 300 && status < 400) throw fail('http-status', `it redirects (${status}), which is not followed`);
  if (status < 200 || status >= 300) throw fail('http-status', `it answered with status ${status}`);
  const encoding = String(headers['content-encoding'] ?? 'identity');
  // The request does not accept compression, and a few bytes could expand into very many.
  if (encoding.toLowerCase() !== 'identity') throw fail('invalid-answer', 'the answer is compressed');
  try {
    return await body.bytes(largestAnswer);
  } catch (error) {
    if (error instanceof TooLargeError) throw fail('invalid-answer', `the answer has more than ${largestAnswer} bytes`);
    throw error;
  }
}

async function send({ pool, target, body, signal }: Exchange): Promise<BytesReply> {
  const headers = {
    ...('host' in target ? { host: target.host } : {}),
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-length': String(body.length),
  };
  const call = () => pool.upstream.call({ method: 'POST', path: target.path, headers, body, signal });
  try {
    return await call();
  } catch (error) {
    // The server may have closed a pooled connection during the request. Requests to hooks change nothing, so they can be sent again.
    if (error instanceof UnreachableError && error.sent && !signal.aborted) return call();
    throw error;
  }
}

/** Rejects when the signal aborts, even if the promise does not depend on it. */
async function beforeAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
