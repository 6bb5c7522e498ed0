/** Timers of this process run out sooner, so that backoffs take less of a test; what waits by `node:timers/promises` waits as long as ever. */

export function hurry(factor: number): Disposable {
  const { setTimeout: before } = globalThis;
  const hurried = (call: (...args: unknown[]) => void, millis = 0, ...args: unknown[]) =>
    before(call, millis / factor, ...args);
  globalThis.setTimeout = Object.assign(hurried, before) as typeof setTimeout;
  return {
    [Symbol.dispose]() {
      globalThis.setTimeout = before;
    },
  };
}
