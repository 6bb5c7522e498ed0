/** Parses the arguments of a shell. */

export interface CalledShell {
  isStrict: boolean;
  isTraced: boolean;
  /** The argument of `-c`; undefined if its input is its script. */
  script: string | undefined;
  rest: readonly string[];
  fault?: string;
}

/** In bytes, with the terminating zero: MAX_ARG_STRLEN of Linux. */
const longestArgument = 128 * 1024;

/** Linux does not start a program with such an argument. */
export const isTooLong = (argument: string): boolean => Buffer.byteLength(argument) >= longestArgument;

/** `-e`, `-x` and `-c` are supported; other one-letter options, and `-o NAME`, are ignored. */
export function shellArguments(args: readonly string[]): CalledShell {
  let flags = '';
  let at = 0;
  for (; /^-[a-z]+$/.test(args[at] ?? ''); at += 1) {
    flags += args[at]!.slice(1);
    if (args[at]!.endsWith('o')) at += 1;
  }
  const called = { isStrict: flags.includes('e'), isTraced: flags.includes('x') };
  const rest = args.slice(at);
  if (!flags.includes('c')) return { ...called, script: undefined, rest };
  const [script, ...more] = rest;
  return script === undefined
    ? { ...called, script, rest: more, fault: '-c requires an argument' }
    : { ...called, script, rest: more };
}
