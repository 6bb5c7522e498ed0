/** The error messages of the command line: one line, and what to do about it. */

import { constants } from 'node:os';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { StatusError } from '@fleet/kube/status.ts';

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {}

/** Somebody ended the command, by Ctrl-C for example: exit code 130, as of a process that SIGINT ends. */
export class InterruptedError extends Error {
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super('interrupted');
    this.exitCode = exitCodeOfSignal(signal);
  }
}

/** As shells report it: 130 of SIGINT, 143 of SIGTERM, 129 of SIGHUP. */
export const exitCodeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** What the process ends with. What was begun when it was interrupted fails with the interruption as its cause. */
export function exitCodeOf(error: unknown): number {
  for (let cause = error; cause instanceof Error; { cause } = cause) {
    if (cause instanceof InterruptedError) return cause.exitCode;
  }
  return error instanceof UsageError ? 2 : 1;
}

/** An error with a way out. */
export class HintedError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/** The text of an error without newlines, with the causes that add something to it. */
export function describe(error: unknown): string {
  if (error instanceof HintedError) return `${oneLine(error.message)}. ${oneLine(error.hint)}`;
  if (error instanceof UnreachableError) return `${error.message}${causeOf(error)}`;
  if (error instanceof StatusError) return oneLine(error.message || `the server answered ${error.code}`);
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ');
  if (error instanceof Error) return oneLine(error.message || error.name);
  return oneLine(String(error));
}

/** OpenSSL's error codes for certificates, as messages that name what to check. */
const untrusted = 'its certificate is of a CA that the kubeconfig does not name as certificate-authority';
const certificateErrors: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: compare the clocks',
};

function causeOf({ cause }: Error): string {
  if (cause === undefined) return '';
  const code = (cause as NodeJS.ErrnoException).code;
  const text =
    (code !== undefined && Object.hasOwn(certificateErrors, code) && certificateErrors[code]) || describe(cause);
  return `: ${code && !text.includes(code) ? `${text} (${code})` : text}`;
}

const oneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
