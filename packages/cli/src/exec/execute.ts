/**
 * A command in a container: channels of `v5.channel.k8s.io` in the messages of one WebSocket. The first byte of a message is
 * its channel; 255 closes the channel that its second byte names.
 */

import type { Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { type Status, StatusError } from '@fleet/kube/status.ts';
import { WebSocketClient } from './web-socket.ts';

const protocol = 'v5.channel.k8s.io';
const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;

/** As kubelets send it. */
const pieceSize = 32 * 1024;

export interface TerminalSize {
  width: number;
  height: number;
}

export interface Streams {
  /** Undefined: the command has none. */
  stdin: AsyncIterable<Uint8Array> | undefined;
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  /** Of a terminal. Returns what ends it. */
  onResize?: ((onSize: (size: TerminalSize) => void) => () => void) | undefined;
}

/** Resolves with the exit code. */
export async function execute(
  upstream: Upstream,
  call: Pick<UpstreamCall, 'path' | 'signal'>,
  streams: Streams,
): Promise<number> {
  const socket = await WebSocketClient.open(upstream, call, protocol);
  const over = new AbortController();
  const endResize = streams.onResize?.(({ width, height }) => {
    const size = Buffer.from(JSON.stringify({ Width: width, Height: height }));
    void socket.send(Buffer.concat([Buffer.of(channels.resize), size]));
  });
  try {
    const sending = streams.stdin ? sendInput(socket, streams.stdin, over.signal) : new Promise<never>(() => {});
    // Input that cannot be read ends it; its end does not.
    return await Promise.race([receive(socket, streams), sending.then(() => new Promise<never>(() => {}))]);
  } finally {
    over.abort();
    endResize?.();
    socket.close();
  }
}

async function sendInput(socket: WebSocketClient, stdin: AsyncIterable<Uint8Array>, over: AbortSignal): Promise<void> {
  for await (const chunk of stdin) {
    for (let at = 0; at < chunk.length && !over.aborted; at += pieceSize) {
      await socket.send(Buffer.concat([Buffer.of(channels.stdin), chunk.subarray(at, at + pieceSize)]));
    }
    if (over.aborted) return;
  }
  await socket.send(Buffer.of(channels.close, channels.stdin));
}

async function receive(socket: WebSocketClient, { stdout, stderr }: Streams): Promise<number> {
  for await (const message of socket.messages()) {
    const payload = message.subarray(1);
    if (message[0] === channels.stdout) stdout(payload);
    if (message[0] === channels.stderr) stderr(payload);
    if (message[0] === channels.status && payload.length > 0) return exitCode(JSON.parse(payload.toString()) as Status);
  }
  throw new Error('the connection was closed before the command ended');
}

function exitCode({ status, code, reason, message, details }: Status): number {
  if (status === 'Success') return 0;
  const cause = details?.causes?.find((one) => one.reason === 'ExitCode');
  const exited = reason === 'NonZeroExitCode' ? Number(cause?.message) : Number.NaN;
  if (Number.isInteger(exited)) return exited;
  throw new StatusError(code ?? 500, reason ?? '', message ?? 'the command failed', details);
}
