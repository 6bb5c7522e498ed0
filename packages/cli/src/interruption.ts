/** Ends a command in order after Ctrl-C and other signals. */

import { exitCodeOfSignal, InterruptedError } from './errors.ts';
import { onNpmEnd } from './npm-parent.ts';

/** npm forwards Ctrl-C to a command that has it from the terminal already. Within this time both are one signal. */
const sameWithin = 1_000;

/** Ctrl-C, `kill`, and the end of the terminal. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `first` on the first of these signals, or when the npm that started this ends, so that what was begun can be brought to
 * an end, and `second` on a signal that somebody sends because that takes too long. Until it is disposed.
 */
export function onSignals(
  signals: readonly NodeJS.Signals[],
  first: (signal: NodeJS.Signals) => void,
  second: (signal: NodeJS.Signals) => void,
): Disposable {
  let since: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (since === undefined) {
      since = performance.now();
      first(signal);
    } else if (performance.now() - since > sameWithin) second(signal);
  };
  const listeners = signals.map((name) => [name, () => onSignal(name)] as const);
  for (const [name, listener] of listeners) process.on(name, listener);
  const npm = onNpmEnd(() => onSignal('SIGTERM'));
  return {
    [Symbol.dispose]() {
      npm[Symbol.dispose]();
      for (const [name, listener] of listeners) process.off(name, listener);
    },
  };
}

/** Turns the first Ctrl-C into a signal, so that what was begun can be undone; the second ends the process at once. */
export function interruption(exit: (code: number) => void = process.exit): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const listening = onSignals(
    endingSignals,
    (name) => controller.abort(new InterruptedError(name)),
    (name) => exit(exitCodeOfSignal(name)),
  );
  return { signal: controller.signal, [Symbol.dispose]: () => listening[Symbol.dispose]() };
}
