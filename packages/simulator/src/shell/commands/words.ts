/** Commands that write their arguments. */

import { type Command, fail } from '../command.ts';
import { writeInPieces } from '../streams.ts';

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', a: '\x07', b: '\b' };

const unescaped = (text: string): string => text.replace(/\\([ntrab\\])/g, (_, sign: string) => escapes[sign]!);

export const echo: Command = async ({ args, stdout }) => {
  let at = 0;
  let isLine = true;
  let isEscaped = false;
  for (; /^-[neE]+$/.test(args[at] ?? ''); at += 1) {
    if (args[at]!.includes('n')) isLine = false;
    if (args[at]!.includes('e')) isEscaped = true;
  }
  const text = args.slice(at).join(' ');
  await stdout(`${isEscaped ? unescaped(text) : text}${isLine ? '\n' : ''}`);
  return 0;
};

/** `%s`, `%d` and `%%`; the format is repeated while arguments are left. */
export const printf: Command = async (invocation) => {
  const [format, ...values] = invocation.args;
  if (format === undefined) return fail(invocation, 'usage: printf format [arguments]', 2);
  const pieces = unescaped(format).split(/(%[sd%])/);
  const places = pieces.filter((piece) => piece === '%s' || piece === '%d').length;
  const rounds = places === 0 ? 1 : Math.max(1, Math.ceil(values.length / places));
  const isWhole = await writeInPieces(invocation.stdout, texts());
  return isWhole ? 0 : fail(invocation, 'output too long');

  function* texts(): Generator<string> {
    let at = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const piece of pieces) {
        if (piece === '%s') yield values[at++] ?? '';
        else if (piece === '%d') yield String(Number.parseInt(values[at++] ?? '0', 10) || 0);
        else yield piece === '%%' ? '%' : piece;
      }
    }
  }
};

export const succeed: Command = async () => 0;
export const failing: Command = async () => 1;
