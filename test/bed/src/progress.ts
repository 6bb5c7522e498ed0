export interface Progress extends Disposable {
  failed(): void;
}

/** Tells what is being built and for how long: one moving line on a terminal, plain lines elsewhere. */
export function showProgress(label: string, out: NodeJS.WriteStream = process.stderr): Progress {
  const began = Date.now();
  const elapsed = () => `${Math.round((Date.now() - began) / 1000)} s`;
  const tell = (state: string) => out.write(out.isTTY ? `\r\x1b[K${label}: ${state}` : `${label}: ${state}\n`);
  tell('building');
  const timer = setInterval(() => tell(`building, ${elapsed()}`), out.isTTY ? 1000 : 30_000);
  let outcome = 'done in';
  return {
    failed() {
      outcome = 'failed after';
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      tell(`${outcome} ${elapsed()}`);
      if (out.isTTY) out.write('\n');
    },
  };
}
