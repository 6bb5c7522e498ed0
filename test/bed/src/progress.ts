export interface Progress extends Disposable {
  failed(): void;
}

/** Prints what is being built and for how long: one moving line on a terminal, plain lines otherwise. */
export function showProgress(label: string, out: NodeJS.WriteStream = process.stderr): Progress {
  const began = Date.now();
  const elapsed = () => `${Math.round((Date.now() - began) / 1000)} s`;
  const print = (state: string) => out.write(out.isTTY ? `\r\x1b[K${label}: ${state}` : `${label}: ${state}\n`);
  print('building');
  const timer = setInterval(() => print(`building, ${elapsed()}`), out.isTTY ? 1000 : 30_000);
  let outcome = 'done in';
  return {
    failed() {
      outcome = 'failed after';
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      print(`${outcome} ${elapsed()}`);
      if (out.isTTY) out.write('\n');
    },
  };
}
