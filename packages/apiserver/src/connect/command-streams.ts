/** The streams of a command and its exit status, independent of the protocol. */

import type { Duplex, Writable } from 'node:stream';
import { type Status, StatusError } from '@fleet/kube/status.ts';
import type { CommandSession, Output } from './connector.ts';

/** The streams that a client requests. */
export interface RequestedStreams {
  stdin: boolean;
  stdout: boolean;
  stderr: boolean;
  tty: boolean;
}

export interface CommandStreams extends Pick<CommandSession, 'stdin' | 'stdout' | 'stderr' | 'resizes' | 'signal'> {
  /** Reports the result and closes everything. What was written before is delivered. */
  finish(status: CommandStatus): Promise<void>;
}

export type CommandStatus = Partial<Status> & Pick<Status, 'metadata' | 'status'>;

export const succeeded: CommandStatus = { metadata: {}, status: 'Success' };

export const exited = (command: readonly string[], code: number): CommandStatus => ({
  metadata: {},
  status: 'Failure',
  message: `command terminated with non-zero exit code: error executing command [${command.join(' ')}], exit code ${code}`,
  reason: 'NonZeroExitCode',
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});

/** Clients get no text of internal errors. */
export const failed = (error: unknown, doing: string): CommandStatus =>
  error instanceof StatusError
    ? error.toStatus()
    : {
        metadata: {},
        status: 'Failure',
        message: `Internal error occurred: error ${doing}`,
        reason: 'InternalError',
        code: 500,
      };

/** Before version 4 only failures are reported, as text. */
export function statusText(status: CommandStatus, isJson: boolean): string {
  if (isJson) return JSON.stringify(status);
  return status.status === 'Success' ? '' : (status.message ?? '');
}

export const outputOf =
  (stream: Writable): Output =>
  (chunk) =>
    new Promise((resolve, reject) => {
      stream.write(chunk, (error) => (error ? reject(error) : resolve()));
    });

/** A client that is gone sends nothing more, which is not an error of the command. */
export async function* inputOf(stream: Duplex, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield chunk;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Resolves when the connection has accepted everything, or is closed. */
export const ended = (stream: Writable, last = ''): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) resolve();
    stream.once('close', resolve);
    if (last) stream.write(last);
    stream.end(resolve);
  });
