/** Turns the first Ctrl-C into a signal, so that what was begun can be undone; the second ends the process at once. */
export function interruption(): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const interrupt = () => controller.abort(new Error('interrupted'));
  for (const name of names) process.once(name, interrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of names) process.off(name, interrupt);
    },
  };
}
