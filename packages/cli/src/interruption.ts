import { onNpmEnd } from './npm-parent.ts';

/** npm hands Ctrl-C on to a command that the terminal has told already: so soon it is the same one. */
const sameWithin = 1_000;

/** Ctrl-C, `kill`, and the end of the terminal. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `first` on the first of these signals, or when the npm that started this ends, so that what was begun can be brought to
 * an end, and `second` on a signal that somebody sends because that takes too long. Until it is disposed.
 */
export function onSignals(signals: readonly NodeJS.Signals[], first: () => void, second: () => void): Disposable {
  let since: number | undefined;
  const told = () => {
    if (since === undefined) {
      since = performance.now();
      first();
    } else if (performance.now() - since > sameWithin) second();
  };
  for (const name of signals) process.on(name, told);
  const npm = onNpmEnd(told);
  return {
    [Symbol.dispose]() {
      npm[Symbol.dispose]();
      for (const name of signals) process.off(name, told);
    },
  };
}

/** Turns the first Ctrl-C into a signal, so that what was begun can be undone; the second ends the process at once. */
export function interruption(exit: (code: number) => void = process.exit): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const listening = onSignals(
    endingSignals,
    () => controller.abort(new Error('interrupted')),
    () => exit(1),
  );
  return { signal: controller.signal, [Symbol.dispose]: () => listening[Symbol.dispose]() };
}
