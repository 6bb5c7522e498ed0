/** How the command line tells what went wrong: one line, and what to do about it. */

import { UnreachableError } from '@fleet/client/upstream.ts';
import { StatusError } from '@fleet/kube/status.ts';

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {}

/** An error with a way out. */
export class HintedError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/** The text of an error without newlines, with the causes that say more than the error itself. */
export function describe(error: unknown): string {
  if (error instanceof HintedError) return `${oneLine(error.message)}. ${oneLine(error.hint)}`;
  if (error instanceof UnreachableError) return `${error.message}${causeOf(error)}`;
  if (error instanceof StatusError) return oneLine(error.message || `the server answered ${error.code}`);
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ');
  if (error instanceof Error) return oneLine(error.message || error.name);
  return oneLine(String(error));
}

function causeOf({ cause }: Error): string {
  if (cause === undefined) return '';
  const code = (cause as NodeJS.ErrnoException).code;
  const text = describe(cause);
  return `: ${code && !text.includes(code) ? `${text} (${code})` : text}`;
}

const oneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
