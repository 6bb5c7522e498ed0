/** What a shell is called with. */

export interface CalledShell {
  isStrict: boolean;
  isTraced: boolean;
  /** Behind `-c`; undefined if its input is its script. */
  script: string | undefined;
  rest: readonly string[];
  fault?: string;
}

/** In bytes, with the end that it has in memory: MAX_ARG_STRLEN of Linux. */
const longestArgument = 128 * 1024;

/** Linux starts no program with it. */
export const isTooLong = (argument: string): boolean => Buffer.byteLength(argument) >= longestArgument;

/** `-e`, `-x` and `-c` are read; what else shells know as one letter, and `-o NAME`, is ignored. */
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
