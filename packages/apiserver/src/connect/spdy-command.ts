/** A remote command over SPDY: `channel.k8s.io` to `v4.channel.k8s.io`. The client opens one stream for each part, named by a header. */

import type { Duplex } from 'node:stream';
import { SpdyConnection } from '@fleet/kube/spdy/spdy-connection.ts';
import type { SpdyStream } from '@fleet/kube/spdy/spdy-stream.ts';
import { type CommandStreams, ended, inputOf, outputOf, type RequestedStreams, statusText } from './command-streams.ts';
import { TerminalSizes } from './terminal-sizes.ts';

/** The best first. */
export const spdyCommandProtocols: readonly string[] = [
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
];

const hasResizing = (protocol: string): boolean => ['v4.channel.k8s.io', 'v3.channel.k8s.io'].includes(protocol);

/** In milliseconds, as in the kubelet. */
const creationTimeout = 30_000;

type Part = 'error' | 'stdin' | 'stdout' | 'stderr' | 'resize';

/** Undefined if the client did not open the requested streams, and is gone or was cut off. */
export async function spdyCommand(
  transport: Duplex,
  protocol: string,
  requested: RequestedStreams,
): Promise<CommandStreams | undefined> {
  const expected: Part[] = [
    'error',
    ...(['stdin', 'stdout', 'stderr'] as const).filter((part) => requested[part]),
    ...(requested.tty && hasResizing(protocol) ? ['resize' as const] : []),
  ];
  const streams = new Map<Part, SpdyStream>();
  const complete = Promise.withResolvers<boolean>();
  const connection = new SpdyConnection(transport, (stream, headers) => {
    const part = expected.find((one) => one === headers.get('streamtype'));
    if (!part || streams.has(part)) {
      stream.destroy();
      return;
    }
    stream.reply();
    // An unread stream would block all others.
    if (part !== 'stdin' && part !== 'resize') stream.resume();
    streams.set(part, stream);
    if (expected.every((one) => streams.has(one))) complete.resolve(true);
  });
  connection.over.addEventListener('abort', () => complete.resolve(false));
  const late = setTimeout(() => complete.resolve(false), creationTimeout);
  const isComplete = await complete.promise;
  clearTimeout(late);
  if (!isComplete) {
    connection.close();
    return undefined;
  }
  return streamsOf(connection, streams, protocol === 'v4.channel.k8s.io');
}

function streamsOf(
  connection: SpdyConnection,
  streams: ReadonlyMap<Part, SpdyStream>,
  isJson: boolean,
): CommandStreams {
  const [stdin, stdout, stderr, error] = (['stdin', 'stdout', 'stderr', 'error'] as const).map((part) =>
    streams.get(part),
  );
  const resizes = new TerminalSizes();
  const resize = streams.get('resize');
  resize?.on('data', (piece: Buffer) => resizes.take(piece));
  resize?.once('close', () => resizes.end());
  resize?.once('end', () => resizes.end());
  if (!resize) resizes.end();
  return {
    stdin: stdin && inputOf(stdin, connection.over),
    stdout: stdout && outputOf(stdout),
    stderr: stderr && outputOf(stderr),
    resizes,
    signal: connection.over,
    async finish(status) {
      await Promise.all([stdout, stderr].map((stream) => stream && ended(stream)));
      await ended(error!, statusText(status, isJson));
      connection.close();
    },
  };
}
